// Independent of the server's parser, so that an error in one of them does not hide the same error in the other.
/// An incremental decoder of chunked transfer coding.
struct ChunkReader {
    private(set) var hasEnded = false
    private var missing = 0
    private var isInsideChunk = false

    /// Removes all decodable data from the front of `bytes` and returns it.
    mutating func read(_ bytes: inout [UInt8]) throws -> [UInt8] {
        var data: [UInt8] = []
        while !hasEnded {
            if isInsideChunk {
                let count = min(missing, bytes.count)
                data += bytes.prefix(count)
                bytes.removeFirst(count)
                missing -= count
                guard missing == 0, bytes.count >= 2 else { break }
                guard bytes.starts(with: "\r\n".utf8) else {
                    throw HTTPTestError("expected CRLF at the end of a chunk: the chunk is longer than its size")
                }
                bytes.removeFirst(2)
                isInsideChunk = false
            } else {
                guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { break }
                let line = String(decoding: bytes[..<end].dropLast(), as: UTF8.self)
                guard let size = Int(line, radix: 16) else {
                    throw HTTPTestError("expected a chunk size, got \"\(line)\"")
                }
                // The last chunk is consumed together with the empty line after it.
                guard size > 0 || bytes.count >= end + 3 else { break }
                bytes.removeFirst(end + 1)
                missing = size
                isInsideChunk = size > 0
                if size == 0 {
                    bytes.removeFirst(2)
                    hasEnded = true
                }
            }
        }
        return data
    }
}
