import Testing

@testable import MachineHost

struct EntityTagsTests {
    @Test(arguments: [
        "\"7\"", "*", "\"1\", \"7\"", "\"1\",\"7\"", ", \"7\" ,,", "\"7\", W/\"7\"", "\"\", \"7\"",
    ])
    func `a version is named`(text: String) throws {
        let tags = try #require(EntityTags(text))
        #expect(tags.matchesStrongly(7))
        #expect(tags.matchesWeakly(7))
    }

    @Test(arguments: ["\"8\"", "\"07\"", "\"77\", \"\"", "\"7 \"", "\"a,7\""])
    func `another version is not`(text: String) throws {
        let tags = try #require(EntityTags(text))
        #expect(!tags.matchesStrongly(7))
        #expect(!tags.matchesWeakly(7))
    }

    @Test func `a weak tag is good enough to save a body and not to change something`() throws {
        let tags = try #require(EntityTags("W/\"7\", \"8\""))
        #expect(!tags.matchesStrongly(7))
        #expect(tags.matchesWeakly(7))
        #expect(tags.matchesStrongly(8))
    }

    @Test(arguments: [
        "", "7", "\"7", "w/\"7\"", "\"7\" \"8\"", "*, \"7\"", "\"7\", *", "W/7", ",", "'7'",
    ])
    func `what is no list of tags is none`(text: String) {
        #expect(EntityTags(text) == nil)
    }
}
