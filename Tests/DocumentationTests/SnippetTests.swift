import Foundation
import Testing

/// What the documents show is what is compiled: each block of Swift in them is one of these files, word by word.
@Suite struct SnippetTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: [
        ("README.md", ["Examples/SmallestMachine/main.swift"]),
        (
            "Docs/machines.md",
            ["RicemillCounter", "UnioCounter", "ComposableCounter", "BoundCounter", "Hosting", "Account"]
                .map { "Tests/DocumentationTests/Snippets/\($0).swift" }
        ),
        (
            "Docs/sharing.md",
            [
                "Package", "Sources/SharedCounter/CounterViewModel", "Sources/SharedCounter/CounterStream",
                "Sources/SharedCounter/CounterFeature", "Sources/CounterServer/main",
                "Tests/SharedCounterTests/CounterViewModelTests", "Tests/CounterServerTests/HostedCounterTests",
            ]
            .map { "Examples/SharedCounter/\($0).swift" }
        ),
        ("Docs/testing.md", ["Tests/DocumentationTests/Snippets/PatientServer.swift"]),
    ])
    func `a document shows the code that is compiled`(document: String, files: [String]) throws {
        let shown = try blocks(of: text(of: document))
        let compiled = try files.map { try text(of: $0) }
        #expect(shown == compiled)
    }

    private func text(of path: String) throws -> String {
        try String(contentsOf: SnippetTests.root.appending(path: path), encoding: .utf8)
    }

    /// The blocks that are fenced as Swift.
    private func blocks(of text: String) -> [String] {
        text.components(separatedBy: "```swift\n").dropFirst().map { part in
            part.components(separatedBy: "```\n")[0]
        }
    }
}
