import Foundation
import Testing

/// The first commands of the README, run unchanged except for the address of the server.
struct ReadmeTests {
    @Test func `the commands of the README print the documented output`() throws {
        let blocks = try blocks(in: "## Run it")
        // The first block of commands builds and serves.
        let commands = blocks.filter { $0.language == "sh" }.map(\.text).dropFirst()
        let shown = blocks.filter { $0.language == "" }.map(\.text)
        try #require(commands.count == 3 && shown.count == 3)
        let granary = try GranaryProcess(["serve", "--http.port", "0"])
        let shell = try Shell(address: try #require(granary.address()))

        try shell.enter(commands.prefix(2).joined())
        let first = shell.output { $0.contains("}\n\n") }
        #expect(first == anonymous(shown[0]) + "\n")
        #expect(first.hasSuffix("\ndata: {\"count\":0}\n\n"), "expected an output with only the count")

        try shell.enter(commands.suffix(1).joined())
        // The response has no line end, and either it or the event may be first.
        let both = shell.output { $0.contains("}}") && $0.contains("}\n\n") }
        let response = shown[1].trimmingCharacters(in: .newlines)
        let change = anonymous(shown[2]) + "\n"
        #expect(both == response + change || both == change + response)
        #expect(granary.end(with: SIGTERM).status == 0)
    }

    /// Returns the fenced code blocks of a section, with their languages.
    private func blocks(in heading: String) throws -> [(language: String, text: String)] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let section = try #require(readme.components(separatedBy: "\n\(heading)\n").dropFirst().first)
        let parts = section.components(separatedBy: "\n## ")[0].components(separatedBy: "```")
        return parts.indices.filter { $0 % 2 == 1 }.map { index in
            let lines = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(lines[0]), String(lines[1]))
        }
    }
}

/// Every session has its own epoch.
private func anonymous(_ text: String) -> String {
    text.replacing(/id: [\w-]+\./, with: "id: EPOCH.")
}

/// A shell that runs commands one after the other, some of them in the background.
private final class Shell {
    private let process = Process()
    private let input = Pipe()
    private let standardOutput = Pipe()
    private let address: String

    init(address: String) throws {
        self.address = address
        process.executableURL = URL(filePath: "/bin/bash")
        process.environment = GranaryProcess.environment
        process.standardInput = input
        process.standardOutput = standardOutput
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func enter(_ commands: String) throws {
        let local = commands.replacing("127.0.0.1:8080", with: address)
        try input.fileHandleForWriting.write(contentsOf: Data(local.utf8))
    }

    /// Waits for complete output, or for the end of the output. Returns it without the session's epoch.
    func output(isComplete: (String) -> Bool) -> String {
        var text = ""
        while !isComplete(text) {
            let data = standardOutput.fileHandleForReading.someData()
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return anonymous(text)
    }
}
