import Testing

@testable import MachineHost

struct MediaPreferenceTests {
    private let json = "application/json"
    private let stream = "text/event-stream"

    @Test(arguments: [
        (nil, 1), ("", 1), ("*/*", 1), ("application/json", 1), ("APPLICATION/JSON", 1),
        ("application/*;q=0.3", 0.3),
        ("*/*;q=0.2, application/json;q=0.7", 0.7), ("text/html", 0), ("*/*, application/json;q=0", 0),
        ("application/json; charset=utf-8; Q=0.5", 0.5), ("application/json;q=x", 1),
        ("application/json;q=nan", 1), ("application/json;q=-1", 1), ("application/json;q=0x0", 1),
    ])
    func `the most specific media range determines the quality`(accept: String?, quality: Double) {
        #expect(MediaPreference(accept).quality(of: json) == quality)
    }

    @Test(arguments: ["application", "application*", "/*", "applicatiox/*", "application//*", " "])
    func `a range that only resembles the type or its family does not match`(accept: String) {
        #expect(MediaPreference(accept).quality(of: json) == 0)
    }

    @Test func `of ranges that are as specific, the first one counts, and a list without any accepts everything`() {
        #expect(MediaPreference("application/json;q=0.4, application/json").quality(of: json) == 0.4)
        #expect(MediaPreference("application/*;q=0.2, */*, application/*").quality(of: json) == 0.2)
        #expect(MediaPreference(",").quality(of: json) == 1)
    }

    @Test(arguments: [
        ("text/event-stream", true), ("text/event-stream, */*", true),
        ("application/json, text/event-stream", true),
        ("text/event-stream;q=0.5, application/json", false), ("text/event-stream;q=0", false),
        ("*/*", false), (nil, false), ("text/*", true), ("TEXT/*;q=0.1", true), ("text/*;q=0", false),
        ("text/*, text/event-stream;q=0", false), ("text/event-stream;q=0, */*", false), ("text/*, */*;q=0.5", true),
        ("text/*, */*", true), ("text/*;q=0.5, */*", false), ("text/*, application/json", false),
        ("text/*, application/json;q=0.9", true), ("text/*, application/*", true), ("text/html, */*;q=0.8", false),
        ("*/*, application/json;q=0.5", false), ("*/*, application/json;q=0", true), ("text/html", false),
        ("text/event-stream;q=nan", true), ("text/event-stream;q=7, application/json", true),
    ])
    func `a stream is chosen if its type or family is named with at least equal quality`(
        accept: String?, wantsStream: Bool
    ) {
        #expect(MediaPreference(accept).prefers(stream, to: json) == wantsStream)
    }
}
