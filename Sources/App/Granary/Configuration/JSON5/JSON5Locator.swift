import JSONText

/// Finds the position of every key in a JSON5 document.
///
/// Foundation decodes the values but does not report positions.
struct JSON5Locator {
    /// A key of the document, by its path from the root.
    struct Entry: Equatable {
        var path: [String]
        var position: SourcePosition
    }

    /// The position of the first syntax error, and the expected syntax at this position.
    struct SyntaxError: Error, Equatable {
        var position: SourcePosition
        var message: String
    }

    private let bytes: [UInt8]
    private var entries: [Entry] = []

    /// The maximum nesting depth: enough for any configuration, and small enough that no file exhausts the stack.
    private static let deepest = 32

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the keys of the document's objects in the order of the text, without those inside lists.
    static func entries(in text: String) throws(SyntaxError) -> [Entry] {
        let bytes = Array(text.utf8)
        do throws(JSONSyntaxError) {
            let root = try JSONScanner.document(bytes, nestingLimit: deepest, grammar: .json5)
            var locator = JSON5Locator(bytes)
            locator.collect(JSONValue(bytes: bytes, range: root), at: [])
            return locator.entries
        } catch {
            throw SyntaxError(
                position: SourcePosition(error.place(in: bytes)),
                message: "expected \(error.expected), got \(error.found(in: bytes))")
        }
    }

    private mutating func collect(_ value: JSONValue, at path: [String]) {
        guard value.kind == .object else { return }
        var scanner = JSONScanner(bytes, at: value.range.lowerBound, grammar: .json5)
        // Cannot throw: the whole document has been checked.
        try? scanner.members { key, member in
            let path = path + [JSONValue(bytes: bytes, range: key).keyText]
            let position = SourcePosition(JSONSyntaxError.place(of: key.lowerBound, in: bytes))
            entries.append(Entry(path: path, position: position))
            collect(JSONValue(bytes: bytes, range: member), at: path)
        }
    }
}

extension SourcePosition {
    fileprivate init(_ place: (line: Int, column: Int)) {
        self.init(line: place.line, column: place.column)
    }
}
