import HTTP1
import Testing

@Suite struct HTTP1ChunkTests {
    @Test(arguments: [
        (1, "1"), (9, "9"), (10, "a"), (15, "f"), (16, "10"), (255, "ff"), (256, "100"), (4095, "fff"), (4096, "1000"),
        (65535, "ffff"), (65536, "10000"), (1_048_576, "100000"),
    ])
    func `a chunk size has no leading zeros`(_ count: Int, _ digits: String) {
        var buffer = Array("head".utf8)
        let chunk = HTTP1Chunk(in: &buffer)
        let data = (0..<count).map { UInt8($0 & 0xFF) }
        buffer += data
        chunk.end(in: &buffer)
        #expect(buffer == Array("head\(digits)\r\n".utf8) + data + Array("\r\n".utf8))
    }

    @Test func `a chunk without data is not written`() {
        var buffer = Array("head".utf8)
        HTTP1Chunk(in: &buffer).end(in: &buffer)
        #expect(buffer == Array("head".utf8))
    }

    @Test func `the last chunk has no data`() {
        var buffer: [UInt8] = []
        HTTP1Chunk.appendLast(to: &buffer)
        #expect(buffer == Array("0\r\n\r\n".utf8))
    }
}
