import HTTPModel

/// `chunk-size [ chunk-ext ]` (RFC 9112 §7.1).
enum ChunkSize {
    static func read(_ line: UnsafeRawBufferPointer) throws(HTTP1Error) -> Int {
        var size = 0
        var offset = 0
        while offset < line.count, let digit = ASCII.hexadecimalDigit(line[offset]) {
            guard size <= Int.max >> 4 else { throw .chunkSize }
            size = size << 4 | Int(digit)
            offset &+= 1
        }
        guard offset > 0 else { throw .chunkSize }
        let rest = line.part(from: offset).withoutBlanks
        // An extension is ignored, but it has to be one.
        guard rest.isEmpty ? offset == line.count : rest[0] == UInt8(ascii: ";") else { throw .chunkSize }
        guard rest.allSatisfy(HTTPFieldValue.isValueByte) else { throw .chunkSize }
        return size
    }
}
