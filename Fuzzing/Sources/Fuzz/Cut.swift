/// The ways to split bytes for a parser whose result must not depend on the split.
public enum Cut: CaseIterable, Sendable {
    /// In one piece.
    case whole
    /// Into single bytes.
    case bytewise
    /// Into pieces of growing length, so that few splits fall on line breaks.
    case growing

    /// Returns the bytes in pieces.
    public func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        var length = 1
        while start < bytes.count {
            let end = self == .whole ? bytes.count : min(bytes.count, start + length)
            pieces.append(bytes[start..<end])
            start = end
            if self == .growing { length += 2 }
        }
        return pieces
    }
}
