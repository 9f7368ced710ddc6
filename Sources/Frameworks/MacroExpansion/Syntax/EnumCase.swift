struct EnumCase {
    /// One associated value.
    struct Value {
        let label: String?
        let type: String
        /// The default value.
        let initialValue: String?

        /// Returns the type with other names for those that are not members of another type.
        func type(renaming names: [String: String]) -> String {
            let bytes = Array(type.utf8), tokens = Lexer.tokens(of: type)
            var renamed: [UInt8] = [], place = 0
            for (index, token) in tokens.enumerated() where index == 0 || !tokens[index - 1].isMark(".") {
                guard token.kind == .word, let name = names[token.text] else { continue }
                renamed += bytes[place..<token.start] + Array(name.utf8)
                place = token.end
            }
            return String(decoding: renamed + bytes[place...], as: UTF8.self)
        }
    }

    let name: String
    let values: [Value]
    let attributes: [Attribute]
    /// The text of the case without the keyword: `detail(Detail.State)`.
    let text: String

    var plainName: String { name.replacing("`", with: "") }

    static func cases(of declaration: Declaration) -> [EnumCase] {
        guard declaration.keyword == "case" else { return [] }
        return Brackets.split(declaration.rest, at: ",", angles: false).compactMap { tokens in
            guard let name = tokens.first else { return nil }
            var values: [Value] = []
            if let open = tokens.dropFirst().first, open.isMark("(") {
                let start = tokens.startIndex + 1
                let end = Brackets.close(of: start, in: tokens)
                values = Brackets.split(tokens[(start + 1)..<end], at: ",").map { value($0, declaration.source) }
            }
            return EnumCase(
                name: name.text, values: values, attributes: declaration.attributes,
                text: declaration.source.text(of: tokens))
        }
    }

    private static func value(_ tokens: ArraySlice<Token>, _ source: Source) -> Value {
        var type = tokens
        var label: String?
        if let colon = Brackets.firstIndex(in: tokens, where: { $0.isMark(":") }) {
            label = tokens[tokens.startIndex].text
            if label == "_" { label = nil }
            type = tokens[(colon + 1)...]
        }
        var initialValue: String?
        if let equals = Brackets.firstIndex(in: type, where: { $0.isMark("=") }) {
            initialValue = source.text(of: type[(equals + 1)...])
            type = type[..<equals]
        }
        return Value(label: label, type: source.text(of: type), initialValue: initialValue)
    }

    func hasAttribute(_ name: String) -> Bool { attributes.contains { $0.baseName == name } }

    /// Returns the type of all associated values together, with other names for types that are not members of another type.
    func payloadType(renaming names: [String: String]) -> String {
        let types = values.map { ($0.label, $0.type(renaming: names)) }
        if types.isEmpty { return "Void" }
        if types.count == 1 { return types[0].1 }
        return "(" + types.map { label, type in (label.map { "\($0): " } ?? "") + type }.joined(separator: ", ") + ")"
    }
}

/// A part of an enum: a case, or a directive such as `#if`, which is kept so that what a macro adds for conditional cases is conditional.
enum EnumLine {
    case directive(String)
    case found(EnumCase, number: Int)

    /// Returns the cases of an enum, numbered in order, and the directives around them.
    static func lines(of declaration: Declaration) -> [EnumLine] {
        var number = -1
        return declaration.members.flatMap { member -> [EnumLine] in
            if member.isDirective { return [.directive(member.text)] }
            return EnumCase.cases(of: member).map { found in
                number += 1
                return .found(found, number: number)
            }
        }
    }

    /// Returns the directive, or the text that a closure returns for the case.
    func text(_ make: (_ number: Int, EnumCase) -> String) -> String {
        switch self {
        case .directive(let text): text
        case .found(let found, let number): make(number, found)
        }
    }
}
