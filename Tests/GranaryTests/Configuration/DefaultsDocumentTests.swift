import FoundationEssentials
import Testing

@testable import Granary

struct DefaultsDocumentTests {
    @Test func `the committed file of defaults is the one that the table of keys makes`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let committed = try Data(contentsOf: root.appending(path: "Config/defaults.json5"))
        #expect(String(decoding: committed, as: UTF8.self) == DefaultsDocument.text)
    }

    @Test func `the file of defaults changes nothing when it is loaded`() throws {
        let file = ConfigurationFile(path: "defaults.json5", content: DefaultsDocument.text)
        let configuration = try ConfigurationLoader.load(file: file, environment: [:], flags: [])
        #expect(configuration == Configuration())
        #expect(try file.entries().map(\.name) == ConfigurationKey.all.map(\.name))
    }
}
