import Testing

@testable import Access

@Suite struct CredentialCacheTests {
    private let now = UnixTime(seconds: 100)

    private func digest(_ number: Int) -> Digest { [UInt8(number)].withUnsafeBytes { Digest.sha256($0) } }

    private func insert(_ cache: inout CredentialCache, _ number: Int, until expires: UnixTime = .never) {
        let principal = Principal(method: .token, id: "\(number)")
        cache.insert(digest(number), principal, TestHash.hasher.hash(of: principal), until: expires)
    }

    private func ids(_ cache: CredentialCache) -> [Int] {
        (0..<10).filter { cache.entry(for: digest($0), at: now)?.principal.id == "\($0)" }
    }

    @Test func `the oldest entry is replaced`() {
        var cache = CredentialCache(most: 3)
        for number in 0..<3 { insert(&cache, number) }
        #expect(ids(cache) == [0, 1, 2])
        insert(&cache, 3)
        #expect(ids(cache) == [1, 2, 3])
        insert(&cache, 4)
        insert(&cache, 5)
        insert(&cache, 6)
        #expect(ids(cache) == [4, 5, 6])
        #expect(cache.count == 3)
    }

    @Test func `an entry is found until it expires`() {
        var cache = CredentialCache(most: 3)
        insert(&cache, 1, until: UnixTime(milliseconds: 100_001))
        insert(&cache, 2, until: now)
        #expect(ids(cache) == [1])
    }

    @Test func `an entry that is inserted again keeps its place`() {
        var cache = CredentialCache(most: 2)
        insert(&cache, 1, until: now)
        insert(&cache, 1)
        insert(&cache, 2)
        #expect(ids(cache) == [1, 2])
        insert(&cache, 3)
        #expect(ids(cache) == [2, 3])
        #expect(cache.count == 2)
    }

    @Test func `an entry knows its own credential only`() {
        var cache = CredentialCache(most: 2)
        insert(&cache, 1)
        #expect(cache.entry(for: digest(2), at: now) == nil)
    }
}
