/// An input that is read from the front: decisions first, the bytes to be looked at behind them. Where nothing is left,
/// decisions are zero.
public struct FuzzInput {
    /// What has not been read.
    public private(set) var rest: ArraySlice<UInt8>

    /// The input as libFuzzer gives it.
    public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
    }

    /// Whether everything has been read.
    public var isEmpty: Bool { rest.isEmpty }

    /// The next byte.
    public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next bytes: one says how many.
    public mutating func bytes() -> [UInt8] { bytes(Int(byte())) }

    /// The next bytes, fewer where there are fewer.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(taken)
    }

    /// Text, or nothing; what is no UTF-8 is replaced.
    public mutating func text() -> String? {
        let count = byte()
        return count == 0 ? nil : String(decoding: bytes(Int(count) - 1), as: UTF8.self)
    }
}
