/// How much of a request is taken. What is larger gets its status and the connection is closed.
public struct HTTP1Limits: Equatable, Sendable {
    /// Bytes of the request line's target; more is 414.
    public var targetBytes: Int
    /// Bytes of the whole head, request line and line ends counted; more is 431.
    public var headBytes: Int
    /// Header fields, and trailer fields on their own; more is 431.
    public var fieldCount: Int
    /// Bytes of the body with transfer coding undone; more is 413.
    public var bodyBytes: Int
    /// Bytes of one chunk's size line, extensions counted and the line end not; more is 400.
    public var chunkLineBytes: Int
    /// Bytes of all size lines of one body together, beside 16 for each chunk and twice what there is in it; more is 400. So
    /// a body of a few bytes cannot bring a flood of extensions with it.
    public var chunkOverheadBytes = 16 << 10
    /// Bytes of all trailer fields; more is 431.
    public var trailerBytes: Int

    /// Limits that hold on the open internet: 8 KiB of target, 16 KiB of head in 100 fields, 1 MiB of body.
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

    /// The same, with room in the head for a method and a version beside the longest target.
    var withTargetInsideHead: HTTP1Limits {
        var limits = self
        limits.targetBytes = min(targetBytes, max(0, headBytes - 64))
        return limits
    }
}
