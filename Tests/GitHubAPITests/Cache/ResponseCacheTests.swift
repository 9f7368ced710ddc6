import GitHubAPI
import Testing

struct ResponseCacheTests {
    private func key(_ name: String, authenticated: Bool = false) -> ResponseCache.Key {
        ResponseCache.Key(url: "https://api.github.com/\(name)", isAuthenticated: authenticated)
    }

    private func entry(_ tag: String, bytes: Int = 10) -> ResponseCache.Entry {
        ResponseCache.Entry(
            entityTag: tag, page: RepositoryPage(repositories: [], totalCount: bytes), byteCount: bytes)
    }

    @Test func `a response is cached by its URL and by whether the request was authenticated`() {
        var cache = ResponseCache(entryLimit: 4, byteLimit: 100)
        cache.remember(entry("open"), for: key("a"))
        cache.remember(entry("secret"), for: key("a", authenticated: true))
        #expect(cache.entry(for: key("a"))?.entityTag == "open")
        #expect(cache.entry(for: key("a", authenticated: true))?.entityTag == "secret")
        #expect(cache.entry(for: key("b")) == nil)
    }

    @Test func `the least recently used entry is evicted when the number of entries exceeds the limit`() {
        var cache = ResponseCache(entryLimit: 2, byteLimit: 100)
        cache.remember(entry("a"), for: key("a"))
        cache.remember(entry("b"), for: key("b"))
        #expect(cache.entry(for: key("a")) != nil)
        cache.remember(entry("c"), for: key("c"))
        #expect(cache.count == 2)
        #expect(cache.entry(for: key("b")) == nil)
        #expect(cache.entry(for: key("a")) != nil)
    }

    @Test func `as many entries as necessary are evicted when the number of bytes exceeds the limit`() {
        var cache = ResponseCache(entryLimit: 10, byteLimit: 100)
        for name in ["a", "b", "c", "d"] { cache.remember(entry(name, bytes: 25), for: key(name)) }
        #expect(cache.byteCount == 100)
        cache.remember(entry("e", bytes: 60), for: key("e"))
        #expect(cache.byteCount == 85)
        #expect(cache.entry(for: key("c")) == nil)
        #expect(cache.entry(for: key("d")) != nil)
        #expect(cache.entry(for: key("e")) != nil)
    }

    @Test func `a newer response replaces the older one and its byte count`() {
        var cache = ResponseCache(entryLimit: 10, byteLimit: 100)
        cache.remember(entry("old", bytes: 60), for: key("a"))
        cache.remember(entry("new", bytes: 70), for: key("a"))
        #expect(cache.count == 1)
        #expect(cache.byteCount == 70)
        #expect(cache.entry(for: key("a"))?.entityTag == "new")
    }

    @Test func `a response larger than the cache is not stored, and evicts only its older version`() {
        var cache = ResponseCache(entryLimit: 10, byteLimit: 100)
        cache.remember(entry("a", bytes: 40), for: key("a"))
        cache.remember(entry("b", bytes: 40), for: key("b"))
        cache.remember(entry("huge", bytes: 101), for: key("a"))
        #expect(cache.entry(for: key("a")) == nil)
        #expect(cache.entry(for: key("b")) != nil)
        #expect(cache.byteCount == 40)
    }

    @Test(arguments: [(0, 100), (10, 0)])
    func `a cache without capacity stores nothing`(entries: Int, bytes: Int) {
        var cache = ResponseCache(entryLimit: entries, byteLimit: bytes)
        cache.remember(entry("a"), for: key("a"))
        #expect(cache.count == 0)
        #expect(cache.byteCount == 0)
    }

    @Test func `removing an entry subtracts its bytes exactly once`() {
        var cache = ResponseCache(entryLimit: 10, byteLimit: 100)
        cache.remember(entry("a", bytes: 40), for: key("a"))
        cache.forget(key("a"))
        cache.forget(key("a"))
        #expect(cache.byteCount == 0)
        #expect(cache.count == 0)
    }
}
