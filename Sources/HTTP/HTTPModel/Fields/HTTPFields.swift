/// The header fields of a message, in order and with duplicates.
///
/// All names and values are stored in one byte array, so a head needs two allocations regardless of the number of its
/// fields. A lookup compares bytes and allocates only when a value is returned as a `String`. One for a name whose length no
/// field has compares nothing. Names are stored in lower case.
public struct HTTPFields: Sendable {
    private struct Entry: Sendable {
        // 32 bits are enough for a head, and an entry takes half the memory.
        var nameStart: UInt32
        var valueStart: UInt32
        var end: UInt32
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// The lengths of the names as bits, of which the last one stands for all longer names. Those of removed fields remain.
    // Most fields that a server looks for are missing from most messages.
    private var nameLengths: UInt64 = 0

    /// Creates an empty collection.
    public init() {}

    /// Creates an empty collection with room for a head of about this size.
    public init(reservingBytes byteCount: Int, fields fieldCount: Int) {
        bytes.reserveCapacity(byteCount)
        entries.reserveCapacity(fieldCount)
    }

    /// Makes room for further fields, so that they are not copied several times while they are appended.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes of their names and values.
    ///   - fieldCount: The number of fields.
    package mutating func reserve(bytes byteCount: Int, fields fieldCount: Int) {
        bytes.reserveCapacity(bytes.count + byteCount)
        entries.reserveCapacity(entries.count + fieldCount)
    }

    /// The number of fields, including duplicates.
    public var count: Int { entries.count }

    /// Whether there are no fields.
    public var isEmpty: Bool { entries.isEmpty }

    /// Appends a field, even if a field with the same name exists.
    public mutating func append(_ name: HTTPFieldName, _ value: HTTPFieldValue) {
        append(name) { HTTPFields.append(value.string, to: &$0) }
    }

    /// Appends a field from bytes that a parser has checked: the name is a token, and the value has no control
    /// characters and no white space at its ends. The name is converted to lower case.
    public mutating func append(checkedName name: UnsafeRawBufferPointer, checkedValue value: UnsafeRawBufferPointer) {
        let nameStart = UInt32(bytes.count)
        bytes.append(contentsOf: name)
        let valueStart = UInt32(bytes.count)
        bytes.withUnsafeMutableBufferPointer { all in
            for index in Int(nameStart)..<Int(valueStart) { all[index] = HTTPFields.lowercased(all[index]) }
        }
        bytes.append(contentsOf: value)
        addEntry(nameStart, valueStart)
    }

    /// Appends a field whose value a closure appends to the bytes. The value must be valid: no control characters, and no white
    /// space at its ends.
    package mutating func append(_ name: HTTPFieldName, writtenBy write: (inout [UInt8]) -> Void) {
        let nameStart = UInt32(bytes.count)
        HTTPFields.append(name.lowercased, to: &bytes)
        let valueStart = UInt32(bytes.count)
        write(&bytes)
        addEntry(nameStart, valueStart)
    }

    /// Appends all fields of another collection.
    package mutating func append(_ other: HTTPFields) {
        let offset = UInt32(bytes.count)
        bytes.append(copyOf: other.bytes)
        for entry in other.entries {
            let (name, value, end) = (entry.nameStart + offset, entry.valueStart + offset, entry.end + offset)
            entries.append(Entry(nameStart: name, valueStart: value, end: end))
        }
        nameLengths |= other.nameLengths
    }

    private mutating func addEntry(_ nameStart: UInt32, _ valueStart: UInt32) {
        entries.append(Entry(nameStart: nameStart, valueStart: valueStart, end: UInt32(bytes.count)))
        nameLengths |= HTTPFields.bit(ofLength: Int(valueStart - nameStart))
    }

    // `append(contentsOf:)` with the view of a string takes twice as long.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    private static func bit(ofLength length: Int) -> UInt64 { 1 &<< UInt64(min(length, 63)) }

    /// Returns whether a field may have a name of this length; if not, none has.
    package func mayContainName(ofLength length: Int) -> Bool { nameLengths & HTTPFields.bit(ofLength: length) != 0 }

    /// The first value with the given name as text, or `nil`. Bytes that are not UTF-8 are replaced. Setting a value
    /// replaces all fields with that name; setting `nil` removes them.
    public subscript(name: HTTPFieldName) -> HTTPFieldValue? {
        get { first(name).map { HTTPFieldValue(unchecked: string(of: entries[$0])) } }
        set {
            // The bytes of removed fields remain in the array, because removing them would move all later fields.
            let kept = entries.filter { !matches($0, name) }
            entries = kept
            if let newValue { append(name, newValue) }
        }
    }

    /// Returns the first value with the given name as text, or `nil`.
    public func value(_ name: HTTPFieldName) -> String? {
        first(name).map { string(of: entries[$0]) }
    }

    /// Returns all values with the given name, in order.
    public func values(_ name: HTTPFieldName) -> [String] {
        entries.filter { matches($0, name) }.map(string(of:))
    }

    /// Returns whether there is a field with the given name.
    public func contains(_ name: HTTPFieldName) -> Bool { first(name) != nil }

    /// Returns the number of fields with the given name.
    public func count(of name: HTTPFieldName) -> Int {
        guard mayContainName(ofLength: name.lowercased.utf8.count) else { return 0 }
        return entries.reduce(0) { $0 + (matches($1, name) ? 1 : 0) }
    }

    /// Calls the closure with the bytes of the first value with the given name, without creating a `String`. Returns
    /// `nil` if none exists. The pointer is valid inside the closure only.
    public func withValue<Result>(
        _ name: HTTPFieldName, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        guard let index = first(name) else { return nil }
        return try withValue(at: index, body)
    }

    /// Calls the closure with the bytes of the value of a field, by its place in the order. The pointer is valid inside the closure
    /// only.
    package func withValue<Result>(
        at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let entry = entries[index]
        return try bytes.withUnsafeBytes { all in
            try body(UnsafeRawBufferPointer(rebasing: all[Int(entry.valueStart)..<Int(entry.end)]))
        }
    }

    /// Returns whether the first value with the given name equals a text, ignoring ASCII case.
    public func value(_ name: HTTPFieldName, equalsIgnoringCase text: StaticString) -> Bool {
        withValue(name) { value in
            value.count == text.utf8CodeUnitCount
                && value.indices.allSatisfy {
                    HTTPFields.lowercased(value[$0]) == HTTPFields.lowercased(text.utf8Start[$0])
                }
        } ?? false
    }

    /// Calls the closure with the name and value of each field, in order. The pointers are valid inside the closure
    /// only.
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
        mayContainName(ofLength: name.lowercased.utf8.count) ? search(name) : nil
    }

    // Apart from the check, which would otherwise save registers for it.
    @inline(never)
    private func search(_ name: HTTPFieldName) -> Int? {
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
    /// Creates fields from a literal, in order and with duplicates.
    public init(dictionaryLiteral elements: (HTTPFieldName, HTTPFieldValue)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPFields: Equatable {
    /// Returns whether both have the same fields in the same order.
    public static func == (left: HTTPFields, right: HTTPFields) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left.entries, right.entries).allSatisfy { one, other in
            one.valueStart - one.nameStart == other.valueStart - other.nameStart
                && left.bytes[Int(one.nameStart)..<Int(one.end)] == right.bytes[Int(other.nameStart)..<Int(other.end)]
        }
    }
}
