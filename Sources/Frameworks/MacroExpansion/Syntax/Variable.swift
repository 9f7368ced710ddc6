/// The binding of a `var` or `let`.
struct Variable {
    let name: String
    private(set) var type: String?
    private(set) var typeTokens: ArraySlice<Token>
    /// The text of the initial value, for copies.
    let initialValue: String?
    /// Whether the variable has accessors: it is computed or observed.
    let hasAccessors: Bool
    /// Whether the variable has `willSet` or `didSet`, so that it is stored.
    let isObserved: Bool
    let isLet: Bool
    let declaration: Declaration

    /// Reads the first binding of a declaration; nil if the declaration is not a variable with a name.
    init?(_ declaration: Declaration) {
        guard let first = Self.bindings(of: declaration).first else { return nil }
        self = first
    }

    /// Returns the bindings of a declaration, such as `var a = 1, b: Int`; none if it is not a variable.
    static func bindings(of declaration: Declaration) -> [Variable] {
        guard declaration.keyword == "var" || declaration.keyword == "let" else { return [] }
        guard declaration.name != "(" else {
            // Of a pattern, `var (a, b) = (1, 2)`, each name has the whole value, and its type is not known.
            let pattern = declaration.rest.prefix { !$0.isMark("=") && !$0.isMark(":") }
            let value = declaration.rest.drop { !$0.isMark("=") }
            return pattern.filter { $0.kind == .word && $0.text != "_" }.map { Variable($0.text, value, declaration) }
        }
        var (found, name, rest) = ([Variable](), declaration.name, declaration.rest)
        while let comma = nextBinding(in: rest) {
            found.append(Variable(name, rest[..<comma], declaration))
            (name, rest) = (rest[comma + 1].text, rest[(comma + 2)...])
        }
        found.append(Variable(name, rest, declaration))
        // In `var a, b: Int`, both have the type.
        for index in found.indices.dropLast().reversed()
        where found[index].type == nil && found[index].initialValue == nil {
            (found[index].type, found[index].typeTokens) = (found[index + 1].type, found[index + 1].typeTokens)
        }
        return found
    }

    /// Reads a binding from the tokens after its name.
    private init(_ name: String, _ tokens: ArraySlice<Token>, _ declaration: Declaration) {
        self.name = name
        self.declaration = declaration
        isLet = declaration.keyword == "let"
        var rest = tokens
        typeTokens = Self.takeType(&rest)
        type = typeTokens.isEmpty ? nil : declaration.source.text(of: typeTokens)
        var accessors: ArraySlice<Token> = []
        if let first = rest.first, first.isMark("=") {
            var value = rest.dropFirst()
            accessors = Self.takeObservers(&value)
            initialValue = declaration.source.copy(of: value)
        } else {
            initialValue = nil
            if rest.first?.isMark("{") == true { accessors = rest }
        }
        hasAccessors = !accessors.isEmpty
        isObserved = Self.areObservers(accessors)
    }

    var plainName: String { name.replacing("`", with: "") }

    var isStored: Bool { !hasAccessors || isObserved }

    /// Returns the index of the comma before the next binding: `b = 2` or `b: Int`, or `b, c: Int`.
    private static func nextBinding(in tokens: ArraySlice<Token>) -> Int? {
        var rest = tokens
        while let comma = Brackets.firstIndex(in: rest, angles: false, where: { $0.isMark(",") }) {
            rest = tokens[(comma + 1)...]
            // A comma in the arguments of a generic type, `Box<Int, Text>()`, is followed by something else.
            var next = rest
            while let name = next.popFirst(), name.kind == .word, let mark = next.popFirst() {
                if mark.isMark(":") || mark.isMark("=") { return comma }
                guard mark.isMark(",") else { break }
            }
        }
        return nil
    }

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
