import Testing

@testable import MachineHost

struct EntityTagsTests {
    @Test(arguments: [
        "\"7\"", "*", "\"1\", \"7\"", "\"1\",\"7\"", ", \"7\" ,,", "\"7\", W/\"7\"", "\"\", \"7\"",
    ])
    func `a tag that names the version matches`(text: String) throws {
        let tags = try #require(EntityTags(text))
        #expect(tags.matchesStrongly(["other", "7"]))
        #expect(tags.matchesWeakly(["other", "7"]))
    }

    @Test(arguments: ["\"8\"", "\"07\"", "\"77\", \"\"", "\"7 \"", "\"a,7\""])
    func `a tag of another version does not match`(text: String) throws {
        let tags = try #require(EntityTags(text))
        #expect(!tags.matchesStrongly(["other", "7"]))
        #expect(!tags.matchesWeakly(["other", "7"]))
    }

    @Test func `a weak tag matches If-None-Match but not If-Match`() throws {
        let tags = try #require(EntityTags("W/\"7\", \"8\""))
        #expect(!tags.matchesStrongly(["other", "7"]))
        #expect(tags.matchesWeakly(["other", "7"]))
        #expect(tags.matchesStrongly(["8"]))
    }

    @Test(arguments: [
        "", "7", "\"7", "w/\"7\"", "\"7\" \"8\"", "*, \"7\"", "\"7\", *", "W/7", ",", "'7'",
    ])
    func `a malformed list of tags is rejected`(text: String) {
        #expect(EntityTags(text) == nil)
    }
}
