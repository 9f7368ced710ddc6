/// The header fields of one message, in order, duplicates kept.
///
/// All names and values lie behind one another in one array of bytes, so that a head costs two allocations
/// however many fields it has, and a look-up compares bytes and allocates nothing until a value is asked for as a
/// `String`. Names are kept in lower case.
public struct HTTPFields: Sendable {
    struct Entry: Sendable {
        var nameStart: UInt32
        var valueStart: UInt32
        var end: UInt32
    }

    var bytes: [UInt8] = []
    var entries: [Entry] = []

    /// No fields.
    public init() {}

    /// Room for a head of about this size, so that filling it does not grow it again.
    public init(reservingBytes byteCount: Int, fields fieldCount: Int) {
        bytes.reserveCapacity(byteCount)
        entries.reserveCapacity(fieldCount)
    }

    /// How many fields there are, duplicates counted.
    public var count: Int { entries.count }

    /// Whether there is none.
    public var isEmpty: Bool { entries.isEmpty }

    /// Adds a field behind the others, beside one of the same name.
    public mutating func append(_ name: HTTPFieldName, _ value: HTTPFieldValue) {
        let nameStart = UInt32(bytes.count)
        bytes.append(contentsOf: name.lowercased.utf8)
        let valueStart = UInt32(bytes.count)
        bytes.append(contentsOf: value.string.utf8)
        entries.append(Entry(nameStart: nameStart, valueStart: valueStart, end: UInt32(bytes.count)))
    }

    /// Adds a field from bytes that a parser has checked: the name a token, the value without control characters or
    /// white space at its ends. The name is put in lower case.
    public mutating func append(checkedName name: UnsafeRawBufferPointer, checkedValue value: UnsafeRawBufferPointer) {
        let nameStart = UInt32(bytes.count)
        bytes.append(contentsOf: name)
        let valueStart = UInt32(bytes.count)
        bytes.withUnsafeMutableBufferPointer { all in
            for index in Int(nameStart)..<Int(valueStart) { all[index] = HTTPFields.lowercased(all[index]) }
        }
        bytes.append(contentsOf: value)
        entries.append(Entry(nameStart: nameStart, valueStart: valueStart, end: UInt32(bytes.count)))
    }

    /// The first value of that name as text (bytes that are no UTF-8 are replaced), or `nil`. Setting puts one field
    /// in the place of all of that name; `nil` removes them.
    public subscript(name: HTTPFieldName) -> HTTPFieldValue? {
        get { first(name).map { HTTPFieldValue(unchecked: string(of: entries[$0])) } }
        set {
            let kept = entries.filter { !matches($0, name) }
            entries = kept
            if let newValue { append(name, newValue) }
        }
    }

    /// The first value of that name as text, or `nil`.
    public func value(_ name: HTTPFieldName) -> String? {
        first(name).map { string(of: entries[$0]) }
    }

    /// All values of that name, in order.
    public func values(_ name: HTTPFieldName) -> [String] {
        entries.filter { matches($0, name) }.map(string(of:))
    }

    /// Whether a field of that name is there.
    public func contains(_ name: HTTPFieldName) -> Bool { first(name) != nil }

    /// How many fields of that name there are.
    public func count(of name: HTTPFieldName) -> Int {
        entries.reduce(0) { $0 + (matches($1, name) ? 1 : 0) }
    }

    /// Reads the first value of that name without making a `String` of it; `nil` if there is none. The pointer is
    /// valid inside the closure only.
    public func withValue<Result>(
        _ name: HTTPFieldName, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        guard let index = first(name) else { return nil }
        let entry = entries[index]
        return try bytes.withUnsafeBytes { all in
            try body(UnsafeRawBufferPointer(rebasing: all[Int(entry.valueStart)..<Int(entry.end)]))
        }
    }

    /// Whether the first value of that name is these characters, without case (ASCII).
    public func value(_ name: HTTPFieldName, equalsIgnoringCase text: StaticString) -> Bool {
        withValue(name) { value in
            value.count == text.utf8CodeUnitCount
                && value.indices.allSatisfy {
                    HTTPFields.lowercased(value[$0]) == HTTPFields.lowercased(text.utf8Start[$0])
                }
        } ?? false
    }

    /// Calls the closure with each field's name and value, in order. The pointers are valid inside it only.
    public func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void)
        rethrows
    {
        try bytes.withUnsafeBytes { all in
            for entry in entries {
                try body(
                    UnsafeRawBufferPointer(rebasing: all[Int(entry.nameStart)..<Int(entry.valueStart)]),
                    UnsafeRawBufferPointer(rebasing: all[Int(entry.valueStart)..<Int(entry.end)]))
            }
        }
    }

    private func first(_ name: HTTPFieldName) -> Int? {
        name.withBytes { expected in
            bytes.withUnsafeBytes { all in entries.firstIndex { HTTPFields.matches($0, expected, all) } }
        }
    }

    private func matches(_ entry: Entry, _ name: HTTPFieldName) -> Bool {
        name.withBytes { expected in bytes.withUnsafeBytes { HTTPFields.matches(entry, expected, $0) } }
    }

    @inline(__always)
    private static func matches(
        _ entry: Entry, _ expected: UnsafeBufferPointer<UInt8>, _ all: UnsafeRawBufferPointer
    ) -> Bool {
        guard Int(entry.valueStart - entry.nameStart) == expected.count else { return false }
        let start = Int(entry.nameStart)
        for index in 0..<expected.count where all[start + index] != expected[index] { return false }
        return true
    }

    private func string(of entry: Entry) -> String {
        String(decoding: bytes[Int(entry.valueStart)..<Int(entry.end)], as: UTF8.self)
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Fields in the order of the source, duplicates kept.
    public init(dictionaryLiteral elements: (HTTPFieldName, HTTPFieldValue)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPFields: Equatable {
    /// Equal if the same fields stand in the same order.
    public static func == (left: HTTPFields, right: HTTPFields) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left.entries, right.entries).allSatisfy { one, other in
            one.valueStart - one.nameStart == other.valueStart - other.nameStart
                && left.bytes[Int(one.nameStart)..<Int(one.end)] == right.bytes[Int(other.nameStart)..<Int(other.end)]
        }
    }
}
