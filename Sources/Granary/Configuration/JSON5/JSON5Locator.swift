// Foundation decodes the values but reports no positions. So this parses the structure of the document again, by the
// grammar of the JSON5 specification.
/// Finds the positions of all keys of a JSON5 document.
struct JSON5Locator {
    /// A key of the document, with its path from the root.
    struct Entry: Equatable {
        var path: [String]
        var position: SourcePosition
    }

    /// A syntax error.
    struct SyntaxError: Error, Equatable {
        var position: SourcePosition
        var message: String
    }

    private var scanner: JSON5Scanner
    private var entries: [Entry] = []

    // Deep enough for any configuration, and small enough that no file can overflow the stack.
    private static let deepest = 32

    private init(_ text: String) {
        scanner = JSON5Scanner(text)
    }

    /// Returns the keys of the document's objects in the order of the text, without those inside arrays.
    static func entries(in text: String) throws(SyntaxError) -> [Entry] {
        var locator = JSON5Locator(text)
        try locator.value(at: [], depth: 0)
        try locator.scanner.skipBlanks()
        guard locator.scanner.isAtEnd else { throw locator.scanner.expected("the end of the document") }
        return locator.entries
    }

    private mutating func value(at path: [String]?, depth: Int) throws(SyntaxError) {
        try scanner.skipBlanks()
        guard depth < Self.deepest else { throw scanner.expected("at most \(Self.deepest) levels") }
        switch scanner.next {
        case "{": try object(at: path, depth: depth)
        case "[": try array(depth: depth)
        case "\"", "'": _ = try scanner.string()
        default: try scanner.literal()
        }
    }

    private mutating func object(at path: [String]?, depth: Int) throws(SyntaxError) {
        try members(open: "{", close: "}") { (locator) throws(SyntaxError) in
            let position = locator.scanner.position
            let key = try locator.scanner.key()
            let inner = path.map { $0 + [key] }
            if let inner {
                locator.entries.append(Entry(path: inner, position: position))
            }
            try locator.scanner.skipBlanks()
            guard locator.scanner.take(":") else { throw locator.scanner.expected("':' after the key \(key)") }
            try locator.value(at: inner, depth: depth + 1)
        }
    }

    private mutating func array(depth: Int) throws(SyntaxError) {
        try members(open: "[", close: "]") { (locator) throws(SyntaxError) in
            try locator.value(at: nil, depth: depth + 1)
        }
    }

    private mutating func members(
        open: Character, close: Character, _ member: (inout JSON5Locator) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        _ = scanner.take(open)
        while true {
            try scanner.skipBlanks()
            if scanner.take(close) { return }
            try member(&self)
            try scanner.skipBlanks()
            if scanner.take(close) { return }
            guard scanner.take(",") else { throw scanner.expected("',' or '\(close)'") }
        }
    }
}
