/// The binding of a `var` or `let`.
struct Variable {
    let name: String
    /// The text of the type annotation.
    let type: String?
    /// The tokens of the type annotation.
    let typeTokens: ArraySlice<Token>
    /// The text of the initial value.
    let initialValue: String?
    /// Whether the variable has accessors: it is computed or observed.
    let hasAccessors: Bool
    /// Whether the variable has `willSet` or `didSet`, so that it is stored.
    let isObserved: Bool
    let isLet: Bool
    let declaration: Declaration

    /// Reads the first binding of a declaration; nil if the declaration is not a variable with a name.
    init?(_ declaration: Declaration) {
        guard declaration.keyword == "var" || declaration.keyword == "let" else { return nil }
        self.declaration = declaration
        isLet = declaration.keyword == "let"
        name = declaration.name
        var rest = declaration.rest
        typeTokens = Self.takeType(&rest)
        type = typeTokens.isEmpty ? nil : declaration.source.text(of: typeTokens)
        var accessors: ArraySlice<Token> = []
        if let first = rest.first, first.isMark("=") {
            var value = rest.dropFirst()
            if let comma = Brackets.firstIndex(in: value, angles: false, where: { $0.isMark(",") }) {
                value = value[..<comma]
            }
            accessors = Self.takeObservers(&value)
            initialValue = declaration.source.text(of: value)
        } else {
            initialValue = nil
            if rest.first?.isMark("{") == true { accessors = rest }
        }
        hasAccessors = !accessors.isEmpty
        isObserved = Self.areObservers(accessors)
    }

    /// The name without backticks.
    var plainName: String { name.replacing("`", with: "") }

    /// Whether the variable is stored.
    var isStored: Bool { !hasAccessors || isObserved }

    /// Removes and returns the type annotation.
    private static func takeType(_ rest: inout ArraySlice<Token>) -> ArraySlice<Token> {
        guard rest.first?.isMark(":") == true else { return [] }
        let after = rest.dropFirst()
        let end =
            Brackets.firstIndex(in: after) { $0.isMark("=") || $0.isMark("{") || $0.isMark(",") } ?? after.endIndex
        rest = after[end...]
        return after[..<end]
    }

    /// Removes and returns the observers after an initial value.
    private static func takeObservers(_ value: inout ArraySlice<Token>) -> ArraySlice<Token> {
        let braces = value.indices.filter { value[$0].isMark("{") }
        guard let open = braces.first(where: { areObservers(value[$0...]) && value[$0].hasSpaceBefore }) else {
            return []
        }
        defer { value = value[..<open] }
        return value[open...]
    }

    private static func areObservers(_ tokens: ArraySlice<Token>) -> Bool {
        guard tokens.first?.isMark("{") == true, let next = tokens.dropFirst().first else { return false }
        return next.isWord("didSet") || next.isWord("willSet")
    }
}
