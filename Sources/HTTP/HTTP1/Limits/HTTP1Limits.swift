/// The limits of a request. A request that exceeds one gets the given status, and the connection is closed.
public struct HTTP1Limits: Equatable, Sendable {
    /// The maximum length of the target in bytes; beyond it, 414.
    public var targetBytes: Int
    /// The maximum length of the head in bytes, including the request line and line ends; beyond it, 431.
    public var headBytes: Int
    /// The maximum number of header fields, and separately of trailer fields; beyond it, 431.
    public var fieldCount: Int
    /// The maximum length of the decoded body in bytes; beyond it, 413.
    public var bodyBytes: Int
    /// The maximum length of a chunk's size line in bytes, with extensions and without the line end; beyond it, 400.
    public var chunkLineBytes: Int
    /// The maximum length of all size lines of a body together, not counting 16 bytes per chunk and twice the length of
    /// its data; beyond it, 400. Thereby a body of a few bytes cannot carry a flood of extensions.
    public var chunkOverheadBytes = 16 << 10
    /// The maximum length of all trailer fields in bytes; beyond it, 431.
    public var trailerBytes: Int

    /// Creates limits that are safe on the open internet: 8 KiB of target, 16 KiB of head with 100 fields, 1 MiB of
    /// body.
    public init(
        targetBytes: Int = 8 << 10, headBytes: Int = 16 << 10, fieldCount: Int = 100, bodyBytes: Int = 1 << 20,
        chunkLineBytes: Int = 256, trailerBytes: Int = 4 << 10
    ) {
        self.targetBytes = targetBytes
        self.headBytes = headBytes
        self.fieldCount = fieldCount
        self.bodyBytes = bodyBytes
        self.chunkLineBytes = chunkLineBytes
        self.trailerBytes = trailerBytes
    }

    /// The same limits, with space in the head for a method and a version in addition to the longest target.
    var withTargetInsideHead: HTTP1Limits {
        var limits = self
        limits.targetBytes = min(targetBytes, max(0, headBytes - 64))
        return limits
    }
}
