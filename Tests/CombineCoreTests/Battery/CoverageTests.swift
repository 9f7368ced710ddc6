import CombineTesting
import Foundation
import Testing

/// Tests that the battery covers the committed API surface of the module.
@Suite struct CoverageTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// The lines of the module's API surface.
    private static func surface() throws -> [Substring] {
        let package = tests.deletingLastPathComponent().deletingLastPathComponent()
        let list = package.appending(path: "Scripts/lib/combine-surface.txt")
        return try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
    }

    /// The publishers that bridge to other frameworks, with the files of their tests.
    private static let bridges = [
        "NotificationCenter.Publisher": "Bridges/Foundation/NotificationCenterTests.swift",
        "Timer.TimerPublisher": "Bridges/Foundation/TimerPublisherTests.swift",
        "URLSession.DataTaskPublisher": "../CombineTests/DataTaskPublisherTests.swift",
    ]

    /// Returns the type names in a publisher's type: `Publishers.Map` and `Just` for `Publishers.Map<Just<Int>, Int>`.
    private static func names(in type: Any.Type) -> Set<String> {
        let text = String(reflecting: type)
        // Also list `Optional<Int>.Publisher` as `Optional.Publisher`, its name in the surface.
        let nested = text.replacing(#/<[^<>]*>\./#) { _ in "." }
        let words = (text + "," + nested).split { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "_" }
        var names = Set<String>()
        for word in words {
            names.insert(String(word.replacing("CombineCore.", with: "").replacing("Swift.", with: "")))
        }
        return names
    }

    private static let covered = (OperatorTable.rows.map(\.publisherType) + SourceTable.rows.map(\.publisherType))
        .reduce(into: Set<String>()) { $0.formUnion(names(in: $1)) }

    @Test func `the battery covers every publisher of the module`() throws {
        let publishers = try Self.surface().compactMap { line in
            line.wholeMatch(of: #/([\w.]+) : Publisher/#).map { String($0.1) }
        }
        #expect(publishers.count > 90)
        // Protocols have no instances of their own to test.
        let abstract: Set = ["ConnectablePublisher", "Subject"]
        let uncovered = publishers.filter { name in
            !abstract.contains(name) && !Self.covered.contains(name) && Self.bridges[name] == nil
        }
        #expect(uncovered == [])
    }

    @Test func `every publisher that bridges to another framework has its own tests`() {
        for (publisher, file) in Self.bridges {
            let path = Self.tests.appending(path: file).standardizedFileURL.path
            #expect(FileManager.default.fileExists(atPath: path), "\(publisher)")
        }
    }

    @Test func `the tests call every operator by name`() throws {
        let names = try Self.surface().compactMap { line in
            line.firstMatch(of: #/^(?:Connectable)?Publisher\b[^|]*\| func `?(\w+)/#).map { String($0.1) }
        }
        #expect(Set(names).count > 70)
        let sources = try Self.sources()
        let uncalled = Set(names).filter { !sources.contains(".\($0)(") && !sources.contains(".\($0) {") }
        #expect(uncalled.sorted() == [])
    }

    /// Returns the source text of all tests of the module.
    private static func sources() throws -> String {
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        return try (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }
}
