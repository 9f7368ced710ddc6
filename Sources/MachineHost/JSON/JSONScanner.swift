/// Checks JSON (RFC 8259) strictly and finds its parts, over the bytes: nothing is decoded and nothing allocated. A value
/// is a range of bytes. Text has to be UTF-8; duplicate keys are let through, for the decoder to judge.
package struct JSONScanner {
    let bytes: [UInt8]
    private(set) var position: Int
    private let nestingLimit: Int

    package init(_ bytes: [UInt8], at position: Int = 0, nestingLimit: Int = .max) {
        self.bytes = bytes
        self.position = position
        self.nestingLimit = nestingLimit
    }

    /// The range of the one value that the bytes are, white space around it left out.
    package static func document(_ bytes: [UInt8], nestingLimit: Int) throws(JSONSyntaxError) -> Range<Int> {
        var scanner = JSONScanner(bytes, nestingLimit: nestingLimit)
        scanner.skipWhitespace()
        let value = try scanner.value()
        scanner.skipWhitespace()
        guard scanner.position == bytes.count else { throw scanner.expected("the end") }
        return value
    }

    /// The elements of an array, which begins here.
    package mutating func elements(_ body: (Range<Int>) -> Void) throws(JSONSyntaxError) {
        try array(depth: 0) { body($0) }
    }

    /// The members of an object, which begins here: the key with its quotes, and the value.
    package mutating func members(_ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void) throws(JSONSyntaxError) {
        try object(depth: 0) { body($0, $1) }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func expected(_ what: String) -> JSONSyntaxError { JSONSyntaxError(offset: position, expected: what) }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
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
        default: throw expected("a JSON value")
        }
        return start..<position
    }

    private mutating func word(_ word: StaticString) throws(JSONSyntaxError) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[index] else {
                position = start
                throw expected("a JSON value")
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
            guard current == UInt8(ascii: "\"") else { throw expected("a key in quotes") }
            try string()
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
            return false
        default: throw expected(what)
        }
    }

    private mutating func number() throws(JSONSyntaxError) {
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
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        if position == start { throw expected("a digit") }
    }
}

extension JSONScanner {
    private mutating func string() throws(JSONSyntaxError) {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0x20..<0x80: position += 1
            case 0..<0x20: throw expected("a control character to be escaped")
            default: try multibyteCharacter()
            }
        }
        throw expected("a closing quote")
    }

    private mutating func escape() throws(JSONSyntaxError) {
        let start = position
        position += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            guard unit & 0xF800 == 0xD800 else { return }
            guard unit < 0xDC00, current == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw JSONSyntaxError(offset: start, expected: "a pair of surrogates") }
            position += 1
            guard try codeUnit() & 0xFC00 == 0xDC00 else {
                throw JSONSyntaxError(offset: start, expected: "a pair of surrogates")
            }
        default: throw expected("an escape that JSON has")
        }
    }

    /// The four digits behind a `u`, which is here.
    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw expected("four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// A character of two to four bytes, well-formed as Unicode's table 3-7 has it.
    private mutating func multibyteCharacter() throws(JSONSyntaxError) {
        let lead = bytes[position]
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: count = 4
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: throw expected("UTF-8")
        }
        guard position + count <= bytes.count, second.contains(bytes[position + 1]),
            bytes[(position + 2)..<(position + count)].allSatisfy({ $0 & 0b1100_0000 == 0b1000_0000 })
        else { throw expected("UTF-8") }
        position += count
    }
}
