import Testing

@testable import Development

struct DevelopmentStatusTests {
    private func text(_ build: Int, _ state: DevelopmentStatus.State) -> String {
        String(decoding: DevelopmentStatus(build: build, state: state).json, as: UTF8.self)
    }

    @Test func `a status is JSON for pages`() {
        #expect(text(0, .building) == #"{"build":0,"state":"building"}"#)
        #expect(text(2, .serving) == #"{"build":2,"state":"serving"}"#)
        #expect(text(2, .failed("a\n\"b\"")) == #"{"build":2,"state":"failed","text":"a\n\"b\""}"#)
    }

    @Test func `a long text ends after a whole line`() {
        let lines = (0..<4000).map { "Sources/app/main.swift:\($0):1: error: cannot find 'x' in scope" }
        let short = DevelopmentStatus.shortened(lines.joined(separator: "\n"))
        #expect(short.utf8.count <= DevelopmentStatus.maxLength + 4)
        #expect(short.hasPrefix(lines[0]))
        #expect(short.hasSuffix("in scope\n…"))
        #expect(DevelopmentStatus.shortened("short") == "short")
        #expect(DevelopmentStatus.shortened(String(repeating: "é", count: 20_000)).hasSuffix("\n…"))
    }
}
