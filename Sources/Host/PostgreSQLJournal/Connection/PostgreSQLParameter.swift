import MachineHost

/// A parameter of a statement, in the binary format.
struct PostgreSQLParameter {
    /// The bytes; nil for NULL.
    private(set) var bytes: [UInt8]?

    /// Creates a number, for a parameter of type `bigint`.
    init(_ value: Int64?) {
        bytes = value.map { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    }

    /// Creates bytes, for a parameter of type `bytea` or `text`.
    init(_ value: [UInt8]) { bytes = value }

    /// Creates an id, for a parameter of type `uuid`.
    init(high: UInt64, low: UInt64) {
        bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// Calls a closure with the pointers to the bytes of several parameters.
    static func withPointers<Result>(
        _ parameters: ArraySlice<PostgreSQLParameter>, _ pointers: [UnsafePointer<CChar>?] = [],
        _ body: ([UnsafePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        guard let first = parameters.first else { return try body(pointers) }
        let rest = parameters.dropFirst()
        guard let bytes = first.bytes else { return try withPointers(rest, pointers + [nil], body) }
        // Without bytes there may be no pointer, and that would be NULL.
        return try (bytes.isEmpty ? [0] : bytes).withUnsafeBytes { buffer in
            try withPointers(rest, pointers + [buffer.baseAddress?.assumingMemoryBound(to: CChar.self)], body)
        }
    }
}

/// A parameter that is an array with one dimension, while it is filled.
struct PostgreSQLArray {
    /// The types of elements, by their object identifiers in the catalog.
    enum Element: UInt32 {
        case boolean = 16
        case bytes = 17
        case number = 20
        case id = 2950
    }

    private var bytes: [UInt8] = []
    private var count: Int32 = 0
    private let element: Element

    init(of element: Element) {
        self.element = element
        // One dimension, and there may be NULL.
        for word in [1, 1, Int32(bitPattern: element.rawValue), 0, 1] as [Int32] { append(word: word) }
    }

    /// The finished parameter.
    var parameter: PostgreSQLParameter {
        var finished = bytes
        withUnsafeBytes(of: count.bigEndian) { finished.replaceSubrange(12..<16, with: $0) }
        return PostgreSQLParameter(finished)
    }

    mutating func append(_ value: Int64?) {
        guard let value else { return appendNull() }
        append(fixed: value.bigEndian)
    }

    mutating func append(_ value: Bool) { append(fixed: value ? 1 : 0 as UInt8) }

    mutating func append(high: UInt64, low: UInt64) { append(fixed: (high.bigEndian, low.bigEndian)) }

    mutating func append(_ value: ArraySlice<UInt8>) {
        append(word: Int32(clamping: value.count))
        bytes.append(contentsOf: value)
        count += 1
    }

    mutating func append(_ value: String) { append(Array(value.utf8)[...]) }

    mutating func appendNull() {
        append(word: -1)
        count += 1
    }

    private mutating func append<Value: BitwiseCopyable>(fixed value: Value) {
        append(word: Int32(MemoryLayout<Value>.size))
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        count += 1
    }

    private mutating func append(word: Int32) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension PostgreSQLArray {
    /// Appends the id of a session.
    mutating func append(_ id: StoredSessionID) { append(high: id.high, low: id.low) }

    /// Appends an owner; nil for NULL.
    mutating func append(_ owner: SessionOwner?) {
        guard let owner else { return appendNull() }
        append(high: owner.high, low: owner.low)
    }
}
