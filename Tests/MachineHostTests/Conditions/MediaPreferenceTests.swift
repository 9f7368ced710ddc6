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
        (",", 1), (" ", 0), ("application/json;q=0.4, application/json", 0.4), ("application/*;q=0.2, */*", 0.2),
        ("application", 0), ("application*", 0), ("/*", 0), ("applicatiox/*", 0), ("application//*", 0),
    ])
    func `the most specific media range determines the quality`(accept: String?, quality: Double) {
        #expect(MediaPreference(accept).quality(of: json) == quality)
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
