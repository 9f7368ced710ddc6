/// An input that is consumed from the front: first the decisions, then the bytes under test. Once the input is empty,
/// decisions are zero.
public struct FuzzInput {
    /// The remaining bytes.
    public private(set) var rest: ArraySlice<UInt8>

    /// Creates an input from the bytes that libFuzzer passes.
    public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
    }

    /// Whether no bytes remain.
    public var isEmpty: Bool { rest.isEmpty }

    /// Consumes the next byte.
    public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Consumes a length byte and that number of bytes.
    public mutating func bytes() -> [UInt8] { bytes(Int(byte())) }

    /// Consumes up to `count` bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(taken)
    }

    /// Consumes an optional text, with invalid UTF-8 replaced.
    public mutating func text() -> String? {
        let count = byte()
        return count == 0 ? nil : String(decoding: bytes(Int(count) - 1), as: UTF8.self)
    }
}
