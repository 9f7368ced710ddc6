/// The type of a property that holds a function.
struct ClosureType {
    struct Parameter {
        let label: String?
        let name: String
        let type: String
        let isInout: Bool
    }

    let parameters: [Parameter]
    let isAsync: Bool
    let isThrowing: Bool
    /// The text between the parameters and the arrow: `async throws`.
    let effects: String
    let result: String
    /// The attributes of the type that calls must repeat, such as `@MainActor`.
    let isolation: String

    /// Reads a type; nil if it is not a function.
    init?(_ tokens: ArraySlice<Token>, in source: Source) {
        var start = tokens.startIndex
        var isolation = ""
        while start < tokens.endIndex, tokens[start].text.hasPrefix("@") {
            if tokens[start].text != "@Sendable", tokens[start].text != "@escaping" {
                isolation += tokens[start].text + " "
            }
            start += 1
        }
        guard start < tokens.endIndex, tokens[start].isMark("(") else { return nil }
        let close = Brackets.close(of: start, in: tokens)
        guard let arrow = Brackets.firstIndex(in: tokens[(close + 1)...], where: { $0.isMark("->") }) else {
            return nil
        }
        let effects = tokens[(close + 1)..<arrow]
        self.isolation = isolation
        self.effects = source.text(of: effects)
        isAsync = effects.contains { $0.isWord("async") }
        isThrowing = effects.contains { $0.isWord("throws") }
        result = source.text(of: tokens[(arrow + 1)...])
        parameters = Brackets.split(tokens[(start + 1)..<close], at: ",").enumerated().map { index, part in
            Self.parameter(part, index, source)
        }
    }

    private static func parameter(_ tokens: ArraySlice<Token>, _ index: Int, _ source: Source) -> Parameter {
        var type = tokens
        var label: String?
        if let colon = Brackets.firstIndex(in: tokens, where: { $0.isMark(":") }) {
            label = tokens[colon - 1].text
            type = tokens[(colon + 1)...]
        }
        let isInout = type.first?.isWord("inout") == true
        return Parameter(
            label: label == "_" ? nil : label, name: label.flatMap { $0 == "_" ? nil : $0 } ?? "p\(index)",
            type: source.text(of: type), isInout: isInout)
    }

    /// Whether a function that only reports a failure can return: it returns nothing, or throws instead.
    var isVoid: Bool { ["Void", "()", "Swift.Void"].contains(result) }
}
