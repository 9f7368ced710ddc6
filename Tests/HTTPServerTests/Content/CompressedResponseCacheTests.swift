import Testing

@testable import HTTPServer

@Suite struct CompressedResponseCacheTests {
    private func content(_ byte: UInt8, count: Int = 2000) -> [UInt8] { Array(repeating: byte, count: count) }

    @Test func `repeated content is cached for each coding`() {
        var cache = CompressedResponseCache()
        let shared = content(1)
        cache.note(shared, .gzip, [1])
        #expect(cache.compressed(shared, .gzip) == nil)
        cache.note(shared, .gzip, [2])
        cache.note(shared, .brotli, [3])
        #expect(cache.compressed(shared, .gzip) == [2] && cache.compressed(shared, .brotli) == [3])
    }

    @Test func `equal content in other storage is not found`() {
        var cache = CompressedResponseCache()
        let (one, other) = (content(1), content(1))
        for _ in 0..<2 { cache.note(one, .gzip, [1]) }
        #expect(cache.compressed(one, .gzip) == [1] && cache.compressed(other, .gzip) == nil)
    }

    @Test func `a modified copy is not found`() {
        var cache = CompressedResponseCache()
        let shared = content(1)
        for _ in 0..<2 { cache.note(shared, .gzip, [1]) }
        var changed = shared
        changed[0] = 2
        #expect(cache.compressed(changed, .gzip) == nil)
    }

    @Test func `content that occurs once evicts nothing`() {
        var cache = CompressedResponseCache()
        let shared = content(1)
        for _ in 0..<2 { cache.note(shared, .gzip, [1]) }
        for byte in 2..<UInt8(200) { cache.note(content(byte), .gzip, [byte]) }
        #expect(cache.compressed(shared, .gzip) == [1])
    }

    @Test func `the oldest entry is evicted first`() {
        var cache = CompressedResponseCache()
        let all = (0..<UInt8(9)).map { content($0) }
        for (index, content) in all.enumerated() {
            for _ in 0..<2 { cache.note(content, .gzip, [UInt8(index)]) }
        }
        #expect(cache.compressed(all[0], .gzip) == nil)
        for index in 1..<9 { #expect(cache.compressed(all[index], .gzip) == [UInt8(index)]) }
    }

    @Test func `large content is not cached`() {
        var cache = CompressedResponseCache()
        let large = content(1, count: 300 << 10)
        for _ in 0..<3 { cache.note(large, .gzip, [1]) }
        #expect(cache.compressed(large, .gzip) == nil)
    }
}
