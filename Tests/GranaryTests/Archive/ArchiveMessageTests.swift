import Testing

@testable import Granary

struct ArchiveMessageTests {
    @Test(
        arguments: [
            .list, .show("a\"b"), .export("x"), .importing("{\n}"), .fork("x", at: nil), .fork("x", at: .max),
            .delete("-x"),
            .backUp("/größe"), .shapes("shapes/counter/1"),
        ] as [ArchiveRequest])
    func `a request is read as it was written`(request: ArchiveRequest) throws {
        let line = ControlMessage.request(request.words)
        #expect(line.last == 10 && line.dropLast().allSatisfy { $0 != 10 })
        let words = try #require(ControlMessage.words(of: Array(line.dropLast())))
        #expect(ArchiveRequest(words: words) == request)
    }

    @Test(arguments: [[], ["list", "x"], ["show"], ["fork", "x", "y"], ["fork"], ["quit"], ["backup", "a", "b"]])
    func `words that are not a request are refused`(words: [String]) {
        #expect(ArchiveRequest(words: words) == nil)
    }

    @Test(arguments: ["", "list", "{}", "[1]", "[[]]", "[\"list\"] x", "[\"list\""])
    func `a line that is not an array of strings is refused`(line: String) {
        #expect(ControlMessage.words(of: Array(line.utf8)) == nil)
    }

    @Test func `a response has a status and an output of any number of lines`() {
        let result = ControlMessage.result(of: ControlMessage.response(1, "a\n\nb"))
        #expect(result?.status == 1)
        #expect(result?.output == "a\n\nb")
        #expect(ControlMessage.result(of: ControlMessage.response(0, ""))?.output == "")
        for text in ["", "0", "x\n", "\n"] { #expect(ControlMessage.result(of: Array(text.utf8)) == nil) }
    }
}
