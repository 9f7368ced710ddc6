import HTTPModel
import Testing

@Suite struct HTTPEntityTagTests {
    private func tags(_ lines: String...) throws -> HTTPEntityTags? {
        var fields = HTTPFields()
        for line in lines { fields.append(.ifMatch, try #require(HTTPFieldValue(line))) }
        return HTTPEntityTags(.ifMatch, in: fields)
    }

    private func tag(_ opaque: String, weak: Bool = false) throws -> HTTPEntityTag {
        try #require(HTTPEntityTag(opaque, isWeak: weak))
    }

    @Test func `a tag is formatted as it was parsed`() throws {
        for text in ["\"7\"", "W/\"7\"", "\"\"", "\"a,b\"", "\"ä\""] {
            #expect(HTTPEntityTag(fieldValue: text)?.fieldValue.string == text)
        }
        #expect(HTTPEntityTag(fieldValue: "W/\"x\"")?.isWeak == true)
    }

    @Test(arguments: ["", "7", "\"7", "7\"", "w/\"7\"", "W/7", "\"7\" ", "\"7\"8", "\"a b\"", "\"7\", \"8\"", "*"])
    func `an invalid tag is rejected`(_ text: String) {
        #expect(HTTPEntityTag(fieldValue: text) == nil)
    }

    @Test func `a tag cannot contain quotes, spaces or control characters`() {
        for opaque in ["a\"b", "a b", "a\u{7}", "a\u{7F}"] { #expect(HTTPEntityTag(opaque) == nil) }
    }

    @Test func `weak tags match by weak comparison only`() throws {
        let (strong, weak) = (try tag("7"), try tag("7", weak: true))
        #expect(strong.matchesStrongly(strong) && strong.matchesWeakly(weak) && weak.matchesWeakly(strong))
        #expect(!strong.matchesStrongly(weak) && !weak.matchesStrongly(strong) && !weak.matchesStrongly(weak))
        #expect(try !strong.matchesWeakly(tag("8")))
    }

    @Test func `a list may have commas in tags, empty elements and several field lines`() throws {
        let expected = HTTPEntityTags.tags([try tag("a,b"), try tag("c", weak: true), try tag("d")])
        #expect(try tags("\"a,b\",W/\"c\" ,, \"d\"") == expected)
        #expect(try tags("\"a,b\"", "W/\"c\",\t\"d\"") == expected)
        #expect(try tags("*") == .any)
        #expect(try tags() == nil)
        #expect(try tags("") == .tags([]))
    }

    @Test func `a malformed list contains the tags before the error`() throws {
        #expect(try tags("\"a\", b, \"c\"") == .tags([try tag("a")]))
        #expect(try tags("\"a\" \"b\"") == .tags([]))
        #expect(try tags("*, \"a\"") == .tags([]))
    }

    @Test func `an asterisk matches any tag`() throws {
        #expect(
            try HTTPEntityTags.any.matchesStrongly(tag("7")) && HTTPEntityTags.any.matchesWeakly(tag("7", weak: true)))
        #expect(try !HTTPEntityTags.tags([]).matchesWeakly(tag("7")))
    }
}
