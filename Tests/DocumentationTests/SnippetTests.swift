import Foundation
import Testing

/// What the documents show is what is compiled: each block of Swift in them is one of these files, word by word.
@Suite struct SnippetTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: [
        (
            "Docs/access.md",
            ["Guessing", "ApplicationSession"].map { "Tests/DocumentationTests/Snippets/\($0).swift" }
        ),
        ("README.md", ["Examples/SmallestMachine/main.swift"]),
        (
            "Docs/machines.md",
            [
                "ObservableCounter", "RicemillCounter", "UnioCounter", "ComposableCounter", "Destination",
                "FactCounter", "EggTimer", "WordList", "CounterText", "BoundCounter", "Hosting", "Cart", "Account",
                "Login",
            ]
            .map { "Tests/DocumentationTests/Snippets/\($0).swift" }
        ),
        (
            "Docs/topics.md", ["Kitchen", "Chat"].map { "Tests/DocumentationTests/Snippets/\($0).swift" }
        ),
        (
            "Docs/durability.md",
            ["CitySearch", "Draft", "Weather", "Stopwatch", "Payment", "ResumableTests"]
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
        (
            "Docs/clients-swift.md",
            ["CounterLabel", "CounterView", "SignedInCounter"]
                .map { "Examples/CounterLabel/Sources/CounterLabel/\($0).swift" }
        ),
        ("Docs/testing.md", ["Tests/DocumentationTests/Snippets/PatientServer.swift"]),
        (
            "Docs/tutorial.md",
            ["Examples/SmallestMachine/main.swift"]
                + [
                    "Package", "Sources/GlossarySearch/Glossary", "Sources/GlossarySearch/SearchViewModel",
                    "Sources/GlossaryServer/BuiltInGlossary", "Sources/GlossaryServer/main",
                    "Tests/GlossarySearchTests/SearchViewModelTests",
                ]
                .map { "Examples/Tutorial/\($0).swift" }
        ),
    ])
    func `a document shows the code that is compiled`(document: String, files: [String]) throws {
        // A reader's package is in a folder next to Granary's, the example in a folder of it.
        let shown = try blocks(of: text(of: document)).map { $0.replacing("\"../granary\"", with: "\"../..\"") }
        let compiled = try files.map { try text(of: $0) }
        #expect(shown == compiled)
    }

    @Test func `the tutorial shows the files of its container`() throws {
        let tutorial = try text(of: "Docs/tutorial.md")
        #expect(try blocks(of: tutorial, in: "dockerfile") == [text(of: "Examples/Tutorial/Dockerfile")])
        #expect(try blocks(of: tutorial, in: "").contains(text(of: "Examples/Tutorial/.dockerignore")))
    }

    @Test func `the tutorial names the products of the package`() throws {
        let rows = try text(of: "Docs/tutorial.md").components(separatedBy: "| product | for |\n")[1]
            .components(separatedBy: "\n\n")[0]
        let named = rows.split(separator: "\n").flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([\w-]+)`/).map { String($0.1) }
        }
        let manifest = try text(of: "Package.swift")
        let libraries = manifest.matches(of: /\.library\(\s*"(\w+)"/).map { String($0.1) }
        let executables = manifest.matches(of: /\.executable\(\s*"\w+", product: "([\w-]+)"/).map { String($0.1) }
        #expect(named.sorted() == (libraries + executables).sorted())
    }

    private func text(of path: String) throws -> String {
        try String(contentsOf: SnippetTests.root.appending(path: path), encoding: .utf8)
    }

    /// The blocks that are fenced as a language, or without one.
    private func blocks(of text: String, in language: String = "swift") -> [String] {
        var blocks: [String] = []
        var rest = text[...]
        while let opening = rest.firstMatch(of: /(?m)^```(\w*)\n/) {
            let body = rest[opening.range.upperBound...]
            let end = body.range(of: "```\n") ?? body.endIndex..<body.endIndex
            if opening.1 == language { blocks.append(String(body[..<end.lowerBound])) }
            rest = body[end.upperBound...]
        }
        return blocks
    }
}
