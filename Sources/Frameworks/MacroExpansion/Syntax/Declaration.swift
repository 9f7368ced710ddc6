/// A declaration, as far as the macros need to know it.
struct Declaration {
    var attributes: [Attribute] = []
    /// The modifiers, with their arguments: `private(set)`.
    var modifiers: [String] = []
    /// The keyword: `struct`, `enum`, `var`, `case`; `#if`, `#else` and the like for a directive.
    var keyword = ""
    /// The name; that of the first binding for a variable.
    var name = ""
    /// The tokens after the name, or after the keyword of a `case`.
    var rest: ArraySlice<Token> = []
    /// The text without leading and trailing white space.
    var text = ""
    /// The text of the file or declaration that the tokens belong to.
    let source: Source

    /// The directives of conditional compilation.
    static let directives: Set<String> = ["#if", "#elseif", "#else", "#endif"]

    /// Whether the declaration is a directive of conditional compilation. Other words with `#`, such as `#warning`, are not repeated in an
    /// expansion.
    var isDirective: Bool { Self.directives.contains(keyword) }

    /// Whether the declaration has an attribute with one of these names, with or without its module.
    func hasAttribute(_ names: String...) -> Bool {
        attributes.contains { names.contains($0.baseName) }
    }

    /// The access modifier that members need to be as visible as the declaration: `public ` or nothing.
    ///
    /// `open` types do not exist among the declarations that macros apply to; `private` members would not be visible to the
    /// type's users.
    var access: String {
        for access in ["public", "package"] where modifiers.contains(access) { return "\(access) " }
        return ""
    }

    /// The modifiers other than those of access: `weak`, `unowned(unsafe)`, `nonisolated`.
    var storageModifiers: [String] {
        let access: Set<Substring> = ["public", "private", "fileprivate", "internal", "package", "open"]
        return modifiers.filter { !access.contains($0.prefix { $0 != "(" }) }
    }

    var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }

    var members: [Declaration] {
        guard let open = rest.firstIndex(where: { $0.isMark("{") }) else { return [] }
        let close = rest.lastIndex { $0.isMark("}") } ?? rest.endIndex
        return DeclarationParser(source, rest[(open + 1)..<close]).declarations()
    }

    /// The members of a type outside of `#if`.
    var unconditionalMembers: [Declaration] {
        var depth = 0
        return members.filter { member in
            if member.keyword == "#if" { depth += 1 }
            if member.keyword == "#endif" { depth -= 1 }
            return depth == 0 && !member.isDirective
        }
    }

    /// The types that a type declares to inherit from or to conform to.
    var inherited: [String] {
        guard let open = rest.firstIndex(where: { $0.isMark("{") }) else { return [] }
        let head = rest[..<open]
        guard let colon = Brackets.firstIndex(in: head, where: { $0.isMark(":") }) else { return [] }
        let end = Brackets.firstIndex(in: head[colon...], where: { $0.isWord("where") }) ?? open
        return Brackets.split(head[(colon + 1)..<end], at: ",").map { source.text(of: $0) }
    }
}

struct Attribute {
    /// The name without `@`, possibly qualified by a module.
    let name: String
    /// The tokens between the parentheses; nil without parentheses.
    let arguments: ArraySlice<Token>?
    let text: String

    /// The name without its module.
    var baseName: String { name.split(separator: ".").last.map(String.init) ?? name }
}

/// The text that tokens belong to.
struct Source {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Returns the text from the first to the last of the tokens.
    func text(of tokens: ArraySlice<Token>) -> String {
        guard let first = tokens.first, let last = tokens.last else { return "" }
        return String(decoding: bytes[first.start..<last.end], as: UTF8.self)
    }

    /// Returns the text of tokens without `#warning` and `#error`, which the compiler would report a second time in a copy.
    func copy(of tokens: ArraySlice<Token>) -> String {
        guard let first = tokens.first, let last = tokens.last else { return "" }
        var copied: [UInt8] = [], place = first.start
        for index in tokens.indices.dropLast()
        where ["#warning", "#error"].contains(tokens[index].text) && tokens[index + 1].isMark("(") {
            copied += bytes[place..<tokens[index].start]
            place = tokens[Brackets.close(of: index + 1, in: tokens)].end
        }
        return String(decoding: copied + bytes[place..<last.end], as: UTF8.self)
    }
}

/// Finds tokens outside of brackets.
enum Brackets {
    private static let opening: Set<String> = ["(", "[", "{", "<"]
    private static let closing: Set<String> = [")", "]", "}", ">"]

    /// Returns the first index outside of brackets whose token satisfies a condition.
    ///
    /// - Parameter angles: Whether `<` and `>` are brackets, as in types.
    static func firstIndex(
        in tokens: ArraySlice<Token>, angles: Bool = true, where condition: (Token) -> Bool
    ) -> Int? {
        var depth = 0
        for index in tokens.indices {
            let token = tokens[index]
            if depth == 0, condition(token) { return index }
            guard token.kind == .mark, angles || (token.text != "<" && token.text != ">") else { continue }
            if opening.contains(token.text) { depth += 1 }
            if closing.contains(token.text) { depth -= 1 }
        }
        return nil
    }

    /// Returns the index of the bracket that closes the one at `open`.
    static func close(of open: Int, in tokens: ArraySlice<Token>) -> Int {
        let isAngle = tokens[open].isMark("<")
        var depth = 0
        for index in open..<tokens.endIndex where tokens[index].kind == .mark {
            let text = tokens[index].text
            guard isAngle || (text != "<" && text != ">") else { continue }
            if opening.contains(text) { depth += 1 }
            if closing.contains(text) { depth -= 1 }
            if depth == 0 { return index }
        }
        return tokens.endIndex - 1
    }

    /// Splits tokens at a mark outside of brackets. Empty parts are omitted.
    static func split(_ tokens: ArraySlice<Token>, at mark: String, angles: Bool = true) -> [ArraySlice<Token>] {
        var parts: [ArraySlice<Token>] = []
        var rest = tokens
        while let index = firstIndex(in: rest, angles: angles, where: { $0.isMark(mark) }) {
            parts.append(rest[..<index])
            rest = rest[(index + 1)...]
        }
        parts.append(rest)
        return parts.filter { !$0.isEmpty }
    }
}
