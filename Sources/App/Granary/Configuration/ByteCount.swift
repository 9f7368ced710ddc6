/// A number of bytes that is written with a unit: `512B`, `64KiB`, `1MiB`, `2GiB`.
public struct ByteCount: Sendable, Hashable, Comparable {
    /// The number of bytes.
    public var bytes: Int

    /// Creates a count of bytes.
    public init(bytes: Int) {
        self.bytes = bytes
    }

    /// Returns `count` times 1024 bytes.
    public static func kibibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 10) }

    /// Returns `count` times 1024² bytes.
    public static func mebibytes(_ count: Int) -> ByteCount { ByteCount(bytes: count << 20) }

    /// Returns whether `left` is less than `right`.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}

extension ByteCount: QuantityText {
    static let units: [QuantityUnit] = [
        QuantityUnit(symbol: "B", size: 1),
        QuantityUnit(symbol: "KiB", size: 1 << 10),
        QuantityUnit(symbol: "MiB", size: 1 << 20),
        QuantityUnit(symbol: "GiB", size: 1 << 30),
    ]

    static let expectation = "a size with its unit (B, KiB, MiB, GiB), such as \"64KiB\""

    var smallestUnits: Int64 { Int64(bytes) }

    init(smallestUnits: Int64) {
        self.init(bytes: Int(smallestUnits))
    }
}
