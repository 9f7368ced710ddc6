import FoundationEssentials
import Testing

@testable import Granary

struct GranaryVersionTests {
    @Test func `the version is the newest one in the change log`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let changes = String(decoding: try Data(contentsOf: root.appending(path: "CHANGELOG.md")), as: UTF8.self)
        let newest = try #require(changes.split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(newest.dropFirst(3).prefix { $0 != " " } == GranaryVersion.current)
    }
}
