/// Validates JSON (RFC 8259) or JSON5 and finds its parts in the bytes. Nothing is decoded or allocated: a value is a
/// range of bytes. Text must be UTF-8. Duplicate keys are accepted and left to the decoder.
package struct JSONScanner {
    /// The language of a text.
    package enum Grammar: Sendable {
        /// JSON (RFC 8259).
        case json
        /// JSON5 (spec.json5.org), for files that people write: comments, trailing commas, keys without quotes.
        case json5
    }

    let bytes: [UInt8]
    var position: Int
    private let nestingLimit: Int
    // A stored flag instead of a generic parameter, because callers in other modules would get an unspecialized
    // scanner. JSON pays one predictable branch for each string, number and run of whitespace.
    let isJSON5: Bool

    /// Creates a scanner that starts at an offset.
    package init(_ bytes: [UInt8], at position: Int = 0, nestingLimit: Int = .max, grammar: Grammar = .json) {
        self.bytes = bytes
        self.position = position
        self.nestingLimit = nestingLimit
        isJSON5 = grammar == .json5
    }

    /// Returns the range of the single value that the bytes contain, without surrounding whitespace.
    package static func document(
        _ bytes: [UInt8], nestingLimit: Int, grammar: Grammar = .json
    ) throws(JSONSyntaxError) -> Range<Int> {
        var scanner = JSONScanner(bytes, nestingLimit: nestingLimit, grammar: grammar)
        scanner.skipWhitespace()
        let value = try scanner.value()
        scanner.skipWhitespace()
        guard scanner.position == bytes.count else { throw scanner.expected("the end of the document") }
        return value
    }

    /// Calls a closure with each element of the array at the current position.
    package mutating func elements(_ body: (Range<Int>) -> Void) throws(JSONSyntaxError) {
        try array(depth: 0) { body($0) }
    }

    /// Calls a closure with each member of the object at the current position: the key with its quotes, and the value.
    package mutating func members(_ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void) throws(JSONSyntaxError) {
        try object(depth: 0) { body($0, $1) }
    }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    func expected(_ what: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: position, expected: isJSON5 ? commentInsteadOf(what) : what)
    }

    // Generated text contains hardly any whitespace, so its absence is checked inline.
    @inline(__always)
    private mutating func skipWhitespace() {
        guard position < bytes.count, bytes[position] <= 0x20 || isJSON5 else { return }
        skipBlanks()
    }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: guard isJSON5, skipJSON5Blank() else { return }
            }
        }
    }

    private mutating func value(depth: Int = 0) throws(JSONSyntaxError) -> Range<Int> {
        let start = position
        switch current {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"): try object(depth: depth) { _, _ in }
        case UInt8(ascii: "["): try array(depth: depth) { _ in }
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try number()
        default: guard isJSON5, try json5Value() else { throw expected("a value") }
        }
        return start..<position
    }

    mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[index] else {
                // In a text that is cut off, the error is reported at its end.
                if current != nil { position = start }
                throw expected("a value")
            }
            position += 1
        }
    }

    private mutating func object(depth: Int, _ member: (Range<Int>, Range<Int>) -> Void) throws(JSONSyntaxError) {
        try open(depth: depth)
        if current == UInt8(ascii: "}") {
            position += 1
            return
        }
        while true {
            let keyStart = position
            if current == UInt8(ascii: "\"") { try string() } else { try json5Key() }
            let key = keyStart..<position
            skipWhitespace()
            guard current == UInt8(ascii: ":") else { throw expected("a colon") }
            position += 1
            skipWhitespace()
            member(key, try value(depth: depth + 1))
            if try close(UInt8(ascii: "}"), expecting: "a comma or a closing brace") { return }
        }
    }

    private mutating func array(depth: Int, _ element: (Range<Int>) -> Void) throws(JSONSyntaxError) {
        try open(depth: depth)
        if current == UInt8(ascii: "]") {
            position += 1
            return
        }
        while true {
            element(try value(depth: depth + 1))
            if try close(UInt8(ascii: "]"), expecting: "a comma or a closing bracket") { return }
        }
    }

    private mutating func open(depth: Int) throws(JSONSyntaxError) {
        // The scanner recurses, so an unlimited depth would let a small text exhaust the stack.
        guard depth < nestingLimit else { throw expected("at most \(nestingLimit) levels of nesting") }
        position += 1
        skipWhitespace()
    }

    private mutating func close(_ bracket: UInt8, expecting what: String) throws(JSONSyntaxError) -> Bool {
        skipWhitespace()
        switch current {
        case bracket:
            position += 1
            return true
        case UInt8(ascii: ","):
            position += 1
            skipWhitespace()
            guard isJSON5, current == bracket else { return false }
            position += 1
            return true
        default: throw expected(what)
        }
    }

    private mutating func number() throws(JSONSyntaxError) {
        if isJSON5 { return try json5Number() }
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        try exponent()
    }

    mutating func exponent() throws(JSONSyntaxError) {
        guard current == UInt8(ascii: "e") || current == UInt8(ascii: "E") else { return }
        position += 1
        if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
        try digits()
    }

    mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        if position == start { throw expected("a digit") }
    }
}
