/// The ways in which bytes are cut before they are given to what has to read them however they are cut.
public enum Cut: CaseIterable, Sendable {
    /// Not at all.
    case whole
    /// After each byte.
    case bytewise
    /// In pieces of growing length, so that few cuts fall on the ends of lines.
    case growing

    /// The bytes in pieces.
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
