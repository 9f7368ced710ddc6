/// The type of a property that holds a function.
struct ClosureType {
    struct Parameter {
        let label: String?
        let type: String
        let isInout: Bool
        let isAutoclosure: Bool
        /// Whether it stands for any number of values of one type: `Int...`.
        var isVariadic: Bool { type.hasSuffix("...") }
        /// Whether it stands for a value of each type of a pack: `repeat each Value`.
        let isPack: Bool

        /// Returns the argument that passes a parameter on.
        func passed(_ name: String) -> String { isInout ? "&\(name)" : isAutoclosure ? "\(name)()" : name }
    }

    let parameters: [Parameter]
    let isAsync: Bool
    let isThrowing: Bool
    /// The type of its errors: `E` for `throws(E)`; nil if it throws any error, or none.
    let errorType: String?
    /// The text between the parameters and the arrow: `async throws`.
    let effects: String
    let result: String
    /// The attributes of the type that a method must repeat, such as `@MainActor`.
    let isolation: String
    /// Whether only the value knows its isolation (`@isolated(any)`), so that each call has to wait.
    let hasOwnIsolation: Bool
    /// The text of the type without `@isolated(any)`.
    let text: String
    /// The text of the type of a parameter that is stored.
    let escapingText: String

    /// The attributes that matter to the value only.
    private static let ofValues: Set<String> = ["@Sendable", "@escaping", "@convention", "@isolated"]

    /// Reads a type; nil if it is not a function.
    init?(_ tokens: ArraySlice<Token>, in source: Source) {
        var start = tokens.startIndex
        var (specifier, isolation, attributes, hasOwnIsolation) = ("", "", "", false)
        while start < tokens.endIndex, tokens[start].text.hasPrefix("@") || tokens[start].isWord("nonisolated") {
            let name = tokens[start].text
            let end = Self.end(ofAttributeAt: start, in: tokens)
            let attribute = source.text(of: tokens[start..<end]) + " "
            switch name {
            case "@isolated": hasOwnIsolation = true
            case "nonisolated": specifier = attribute
            default: attributes += attribute
            }
            if !Self.ofValues.contains(name) { isolation += attribute }
            start = end
        }
        guard start < tokens.endIndex, tokens[start].isMark("(") else { return nil }
        let close = Brackets.close(of: start, in: tokens)
        guard let arrow = Brackets.firstIndex(in: tokens[(close + 1)...], where: { $0.isMark("->") }) else {
            return nil
        }
        let effects = tokens[(close + 1)..<arrow]
        self.isolation = isolation
        self.hasOwnIsolation = hasOwnIsolation
        let function = attributes + source.text(of: tokens[start...])
        text = specifier + function
        // Attributes cannot stand before the specifier.
        escapingText = "\(specifier)@escaping \(hasOwnIsolation ? "@isolated(any) " : "")\(function)"
        self.effects = source.text(of: effects)
        isAsync = effects.contains { $0.isWord("async") }
        isThrowing = effects.contains { $0.isWord("throws") }
        let error = source.text(of: effects.drop { !$0.isMark("(") }.dropFirst().dropLast())
        errorType = ["", "any Error", "any Swift.Error", "Error", "Swift.Error"].contains(error) ? nil : error
        result = source.text(of: tokens[(arrow + 1)...])
        parameters = Brackets.split(tokens[(start + 1)..<close], at: ",").map { Self.parameter($0, source) }
    }

    /// Returns the index after an attribute with its arguments, or after `nonisolated(nonsending)`.
    private static func end(ofAttributeAt start: Int, in tokens: ArraySlice<Token>) -> Int {
        var end = start + 1
        while end + 1 < tokens.endIndex, tokens[end].isMark(".") { end += 2 }
        guard end < tokens.endIndex, tokens[end].isMark("(") else { return end }
        let after = Brackets.close(of: end, in: tokens) + 1
        // Without arguments, the parameters of the function follow: `@escaping() -> Void`.
        let isFunction = after < tokens.endIndex && ["->", "async", "throws"].contains(tokens[after].text)
        return isFunction ? end : after
    }

    private static func parameter(_ tokens: ArraySlice<Token>, _ source: Source) -> Parameter {
        var type = tokens
        var label: String?
        if let colon = Brackets.firstIndex(in: tokens, where: { $0.isMark(":") }) {
            label = tokens[colon - 1].text
            type = tokens[(colon + 1)...]
        }
        let isInout = type.first?.isWord("inout") == true
        return Parameter(
            label: label == "_" ? nil : label, type: source.text(of: type), isInout: isInout,
            isAutoclosure: type.prefix { $0.kind == .word }.contains { $0.isWord("@autoclosure") },
            isPack: type.first?.isWord("repeat") == true)
    }

    /// Whether a function that only reports a failure can return: it returns nothing, or throws instead.
    var isVoid: Bool { ["Void", "()", "Swift.Void"].contains(result) }
}
