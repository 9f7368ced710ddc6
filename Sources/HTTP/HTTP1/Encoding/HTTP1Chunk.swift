public import HTTPModel

/// A chunk (RFC 9112 §7.1) whose length is not known until it is written. Space is reserved for the size line, which is
/// filled in afterwards.
public struct HTTP1Chunk {
    // Four digits and a line end: enough for most chunks, whose data then need not be moved.
    private static let room = 6

    private let start: Int

    /// Begins a chunk at the end of the buffer. Append its data next.
    public init(in buffer: inout [UInt8]) {
        start = buffer.count
        for _ in 0..<HTTP1Chunk.room { buffer.append(0) }
    }

    /// Writes the size line of the appended data, and the end of the chunk. A chunk without data is removed, since a
    /// size of zero would end the body.
    public func end(in buffer: inout [UInt8]) {
        let count = buffer.count - start - HTTP1Chunk.room
        guard count > 0 else { return buffer.removeLast(HTTP1Chunk.room) }
        let digits = max(1, (Int.bitWidth - count.leadingZeroBitCount + 3) / 4)
        makeRoom(for: digits, in: &buffer)
        for digit in 0..<digits {
            let value = UInt8(truncatingIfNeeded: count >> (4 * (digits - 1 - digit))) & 0xF
            buffer[start + digit] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
        }
        buffer[start + digits] = ASCII.carriageReturn
        buffer[start + digits + 1] = ASCII.lineFeed
        buffer.append(ASCII.carriageReturn)
        buffer.append(ASCII.lineFeed)
    }

    private func makeRoom(for digits: Int, in buffer: inout [UInt8]) {
        let surplus = HTTP1Chunk.room - 2 - digits
        if surplus > 0 {
            buffer.removeSubrange(start..<(start + surplus))
        } else if surplus < 0 {
            buffer.insert(contentsOf: repeatElement(0, count: -surplus), at: start)
        }
    }

    /// Writes the empty chunk that ends a body.
    public static func appendLast(to buffer: inout [UInt8]) {
        buffer.append(contentsOf: "0\r\n\r\n".utf8)
    }

    /// Writes the empty chunk and trailer fields. Fields that are not allowed in trailers are omitted.
    public static func appendLast(trailers: HTTPFields, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: "0\r\n".utf8)
        trailers.forEach { name, value in
            guard HTTPTrailers.allow(String(decoding: name, as: UTF8.self)) else { return }
            buffer.append(contentsOf: name)
            buffer.append(contentsOf: ": ".utf8)
            buffer.append(contentsOf: value)
            buffer.append(contentsOf: "\r\n".utf8)
        }
        buffer.append(contentsOf: "\r\n".utf8)
    }
}
