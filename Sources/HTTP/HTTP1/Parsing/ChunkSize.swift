import HTTPModel

/// `chunk-size [ chunk-ext ]` (RFC 9112 §7.1).
enum ChunkSize {
    /// Parses a size line without its line end. Extensions are ignored, but an invalid one is an error: another
    /// implementation might find the end of the line elsewhere.
    static func read(_ line: UnsafeRawBufferPointer) throws(HTTP1Error) -> Int {
        var size = 0
        var offset = 0
        while offset < line.count, let digit = Hexadecimal.value(of: line[offset]) {
            guard size <= Int.max >> 4 else { throw .chunkSize }
            size = size << 4 | Int(digit)
            offset &+= 1
        }
        guard offset > 0 else { throw .chunkSize }
        if offset < line.count { try checkExtensions(line.part(from: offset)) }
        return size
    }

    /// `chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )` (RFC 9112 §7.1.1).
    private static func checkExtensions(_ bytes: UnsafeRawBufferPointer) throws(HTTP1Error) {
        var scanner = ParameterScanner(bytes)
        var isFirst = true
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            guard scanner.skip(UInt8(ascii: ";")) else {
                throw isFirst ? .chunkSize : .chunkExtension
            }
            isFirst = false
            scanner.skipBlanks()
            guard scanner.skipToken() != nil, scanner.skipValueIfPresent() else { throw .chunkExtension }
        }
    }
}
