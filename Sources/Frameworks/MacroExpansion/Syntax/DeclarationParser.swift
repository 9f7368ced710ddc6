/// Finds the declarations in a list of tokens, such as the members of a type.
struct DeclarationParser {
    private let source: Source
    private let tokens: ArraySlice<Token>

    private static let keywords: Set<String> = [
        "var", "let", "func", "init", "struct", "enum", "class", "actor", "protocol", "extension", "typealias", "case",
        "subscript", "deinit", "operator", "import", "macro", "associatedtype", "precedencegroup",
    ]
    private static let modifiers: Set<String> = [
        "public", "private", "fileprivate", "internal", "package", "open", "static", "final", "mutating", "nonmutating",
        "lazy", "weak", "unowned", "indirect", "override", "required", "convenience", "nonisolated", "dynamic",
        "optional", "prefix", "postfix", "infix", "isolated", "distributed", "consuming", "borrowing",
    ]
    /// Marks after which a declaration continues on the next line.
    private static let continuing: Set<String> = [
        "=", ":", ",", "->", ".", "&", "|", "+", "-", "*", "/", "<", "(", "[",
    ]

    init(_ source: Source, _ tokens: ArraySlice<Token>) {
        self.source = source
        self.tokens = tokens
    }

    /// Returns the only declaration of a text. Conditional attributes before it, between `#if` and `#endif`, are not part of it.
    static func declaration(in text: String) -> Declaration? {
        let source = Source(text)
        return DeclarationParser(source, Lexer.tokens(of: text)[...]).declarations().first {
            !$0.keyword.isEmpty && !$0.isDirective
        }
    }

    func declarations() -> [Declaration] {
        var found: [Declaration] = []
        var start = tokens.startIndex
        while start < tokens.endIndex {
            let end = self.end(ofDeclarationAt: start)
            if let declaration = parse(tokens[start..<end]) { found.append(declaration) }
            start = end
            while start < tokens.endIndex, tokens[start].isMark(";") { start += 1 }
        }
        return found
    }

    /// Returns the index after the declaration: that of the first token of the next one.
    private func end(ofDeclarationAt start: Int) -> Int {
        if Declaration.directives.contains(tokens[start].text) {
            return (start + 1..<tokens.endIndex).first { tokens[$0].isFirstOnLine } ?? tokens.endIndex
        }
        var index = self.keyword(from: start)
        guard index < tokens.endIndex else { return tokens.endIndex }
        index += 1
        while index < tokens.endIndex {
            let token = tokens[index]
            if token.isMark(";") { return index }
            if startsDeclaration(at: index) { return index }
            if token.kind == .mark, ["(", "[", "{"].contains(token.text) {
                index = Brackets.close(of: index, in: tokens)
            }
            index += 1
        }
        return tokens.endIndex
    }

    private func startsDeclaration(at index: Int) -> Bool {
        let token = tokens[index]
        guard token.isFirstOnLine, token.kind == .word else { return false }
        let previous = tokens[index - 1]
        if previous.kind == .mark, Self.continuing.contains(previous.text) { return false }
        // After the keyword, an attribute belongs to a type, which continues.
        if previous.kind == .word, previous.text.hasPrefix("@") { return false }
        if token.text.hasPrefix("@") { return true }
        // A directive, or a freestanding macro, such as `#Preview { }`.
        if token.text.hasPrefix("#") { return true }
        return Self.keywords.contains(token.text) || Self.modifiers.contains(token.text)
    }

    /// Returns the index of the keyword of the declaration that starts at an index.
    private func keyword(from start: Int) -> Int {
        var index = start
        while index < tokens.endIndex {
            let token = tokens[index]
            if token.kind == .word, token.text.hasPrefix("@") {
                index = afterAttribute(at: index)
            } else if token.kind == .word, Self.modifiers.contains(token.text) || isClassModifier(at: index) {
                index += 1
                if index < tokens.endIndex, tokens[index].isMark("(") {
                    index = Brackets.close(of: index, in: tokens) + 1
                }
            } else {
                return index
            }
        }
        return index
    }

    private func isClassModifier(at index: Int) -> Bool {
        tokens[index].isWord("class") && index + 1 < tokens.endIndex
            && (["func", "var", "subscript"].contains(tokens[index + 1].text)
                || Self.modifiers.contains(tokens[index + 1].text))
    }

    /// Returns the index after an attribute: after its name, its generic arguments and its arguments.
    private func afterAttribute(at start: Int) -> Int {
        var index = start + 1
        while index + 1 < tokens.endIndex, tokens[index].isMark("."), tokens[index + 1].kind == .word { index += 2 }
        if index < tokens.endIndex, tokens[index].isMark("<") { index = Brackets.close(of: index, in: tokens) + 1 }
        if index < tokens.endIndex, tokens[index].isMark("("), !tokens[index].hasSpaceBefore {
            index = Brackets.close(of: index, in: tokens) + 1
        }
        return index
    }

    private func parse(_ tokens: ArraySlice<Token>) -> Declaration? {
        guard let first = tokens.first else { return nil }
        var declaration = Declaration(source: source)
        declaration.text = source.text(of: tokens)
        if Declaration.directives.contains(first.text) {
            declaration.keyword = first.text
            return declaration
        }
        let inner = DeclarationParser(source, tokens)
        let place = inner.keyword(from: tokens.startIndex)
        (declaration.attributes, declaration.modifiers) = inner.prefix(before: place)
        guard place < tokens.endIndex else { return nil }
        declaration.keyword = tokens[place].text
        declaration.rest = tokens[(place + 1)...]
        guard Self.keywords.contains(declaration.keyword) else { return declaration }
        if !["case", "init", "deinit", "subscript"].contains(declaration.keyword), let name = declaration.rest.first {
            declaration.name = name.text
            declaration.rest = declaration.rest.dropFirst()
        }
        return declaration
    }

    private func prefix(before end: Int) -> ([Attribute], [String]) {
        var attributes: [Attribute] = []
        var modifiers: [String] = []
        var index = tokens.startIndex
        while index < end {
            if tokens[index].text.hasPrefix("@") {
                let after = afterAttribute(at: index)
                attributes.append(attribute(tokens[index..<after]))
                index = after
            } else {
                var after = index + 1
                if after < end, tokens[after].isMark("(") { after = Brackets.close(of: after, in: tokens) + 1 }
                modifiers.append(source.text(of: tokens[index..<after]))
                index = after
            }
        }
        return (attributes, modifiers)
    }

    private func attribute(_ tokens: ArraySlice<Token>) -> Attribute {
        let open = tokens.firstIndex { $0.isMark("(") || $0.isMark("<") } ?? tokens.endIndex
        let name = source.text(of: tokens[..<open]).dropFirst()
        var arguments: ArraySlice<Token>?
        if let parenthesis = tokens.firstIndex(where: { $0.isMark("(") }) {
            arguments = tokens[(parenthesis + 1)..<Brackets.close(of: parenthesis, in: tokens)]
        }
        return Attribute(name: String(name), arguments: arguments, text: source.text(of: tokens))
    }
}

extension Attribute {
    /// Returns the attribute that a text consists of.
    static func parsed(_ text: String) -> Attribute? {
        // The attribute needs a declaration, which the parser looks for.
        DeclarationParser.declaration(in: "\(text) var attributed = 0")?.attributes.first
    }

    /// Returns the text of each argument, by label; unlabelled arguments have an empty one.
    func labelledArguments(in source: Source) -> [(label: String, tokens: ArraySlice<Token>)] {
        Brackets.split(arguments ?? [], at: ",").map { part in
            let second = part.startIndex + 1
            guard second < part.endIndex, part[second].isMark(":") else { return ("", part) }
            return (part[part.startIndex].text, part[(second + 1)...])
        }
    }
}
