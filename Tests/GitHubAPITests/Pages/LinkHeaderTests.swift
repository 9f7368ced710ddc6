import GitHubAPI
import Testing

struct LinkHeaderTests {
    static let github = """
        <https://api.github.com/search/repositories?q=swift&page=1>; rel="prev", \
        <https://api.github.com/search/repositories?q=swift&page=3>; rel="next", \
        <https://api.github.com/search/repositories?q=swift&page=34>; rel="last", \
        <https://api.github.com/search/repositories?q=swift&page=1>; rel="first"
        """

    @Test func `GitHub's link field names the adjacent pages`() {
        let header = LinkHeader(Self.github)
        #expect(header.links.count == 4)
        #expect(header.page(of: "next") == 3)
        #expect(header.page(of: "prev") == 1)
        #expect(header.page(of: "last") == 34)
        #expect(header.page(of: "other") == nil)
    }

    @Test(arguments: [
        #"<a?page=2>; rel=next"#, #"<a?page=2>;rel="next""#, #"<a?page=2> ; REL = "next""#,
        #"<a?page=2>; title="a, b; c=\"d\""; rel=next"#, #"<a?page=2>; rel="prefetch next""#,
        #", ,<a?page=2>; rel="NEXT","#, #"<a?page=2>;; rel=next"#, #"<a?page=2>; crossorigin; rel=next"#,
        #"<a?page=2>; rel=next; rel=last"#, "<a?page=2>;\trel=next", #"<x>; rel=last, <a?page=2>; rel=next"#,
        #"<x,y;z>; rel=last , <a?page=2>; rel=next"#, #"<a?page=2>; rel=next, <a?page=7>; rel=next"#,
        #"<a?page=2>; rel=next, this is broken"#, #"<a?page=2>; rel="next"#,
        #"<a?page=9>; rel=next; anchor="https://elsewhere.example", <a?page=2>; rel=next"#,
    ])
    func `every form that RFC 8288 allows is read, and invalid parts are skipped`(value: String) {
        #expect(LinkHeader(value).target(of: "next") == "a?page=2")
        #expect(LinkHeader(value).page(of: "next") == 2)
    }

    @Test(arguments: [
        "", "   ", "next", "a?page=2; rel=next", "<a?page=2; rel=next", "<a?page=2>", "<a?page=2> rel=next",
        #"<a?page=2>; title="rel=next""#, #"<a?page=2>; rel=last; rel=next"#, "broken <a?page=2>; rel=next",
        #"<a?page=2>; rel="nextish""#,
    ])
    func `values without a link of that relation have no page`(value: String) {
        #expect(LinkHeader(value).target(of: "next") == nil)
    }

    @Test(arguments: [
        ("<a?q=x&page=3&per_page=30>; rel=next", 3), ("<a?per_page=30&page=4#page=5>; rel=next", 4),
        ("<?page=5>; rel=next", 5), ("<a?per_page=3>; rel=next", nil), ("<a?page=>; rel=next", nil),
        ("<a?page=0>; rel=next", nil), ("<a?page=-1>; rel=next", nil), ("<a?page=two>; rel=next", nil),
        ("<a?page=99999999999999999999>; rel=next", nil), ("<a/page=2>; rel=next", nil), ("<>; rel=next", nil),
        ("<a#b?c>; rel=next", nil),
    ])
    func `a page number is read from the link's query only`(value: String, page: Int?) {
        #expect(LinkHeader(value).page(of: "next") == page)
    }

    @Test func `a truncated field never yields a page that the whole field does not name`() {
        let bytes = Array(Self.github.utf8)
        for end in bytes.indices {
            let page = LinkHeader(String(decoding: bytes[..<end], as: UTF8.self)).page(of: "next")
            #expect(page == nil || page == 3)
        }
    }

    @Test func `parsing arbitrary bytes does not crash`() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array(#"<>;,"\= relnxt?page1é"#)
        for _ in 0..<2_000 {
            let value = String((0..<40).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] })
            for link in LinkHeader(value).links { #expect(!link.target.contains(">")) }
        }
    }
}

/// A pseudorandom number generator with the same sequence in every run (SplitMix64).
struct SeededGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
