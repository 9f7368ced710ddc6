import HTTPModel
import MachineTesting
import Testing

/// A client that rebuilds a session's outputs and detects violations of the stream's contract.
struct StreamViewTests {
    private func view(_ events: (kind: String, version: String, data: String)...) -> StreamView {
        var view = StreamView()
        for event in events {
            view.take(ServerSentEvent(event: event.kind, id: "AAAAAA.\(event.version)", data: event.data))
        }
        return view
    }

    @Test func `changes are applied to a snapshot`() {
        let view = view(
            ("snapshot", "3", "{\"a\":1,\"b\":[ 2 ]}"), ("change", "4", "{\"b\":null,\"$emitted\":[{\"x\":1},2]}"),
            ("change", "5", "{\"c\":\"d\"}"))
        #expect(view.outputs == ["a": "1", "b": "null", "c": "\"d\""])
        #expect(view.emitted == ["{\"x\":1}", "2"])
        #expect(view.version == 5)
        #expect(view.violations == [])
    }

    @Test func `a snapshot replaces all earlier values`() {
        let view = view(("snapshot", "0", "{\"a\":1}"), ("change", "1", "{\"b\":2}"), ("snapshot", "9", "{\"a\":3}"))
        #expect(view.outputs == ["a": "3"])
        #expect(view.violations == [])
    }

    @Test func `a version that repeats, skips or goes back is a violation`() {
        #expect(view(("snapshot", "1", "{}"), ("change", "1", "{}")).violations == ["expected version 2, got 1"])
        #expect(view(("snapshot", "1", "{}"), ("change", "3", "{}")).violations == ["expected version 2, got 3"])
        #expect(view(("snapshot", "2", "{}"), ("snapshot", "1", "{}")).violations.count == 1)
        #expect(view(("snapshot", "2", "{}"), ("resume", "1", "{}")).violations.count == 1)
    }

    @Test func `an invalid event is a violation`() {
        #expect(view(("snapshot", "x", "{}")).violations.count == 1)
        #expect(view(("news", "1", "{}")).violations == ["an event of unknown kind: news"])
        #expect(view(("snapshot", "1", "[]")).violations == ["expected a JSON object, got []"])
    }

    @Test func `the end event has a reason`() {
        #expect(view(("end", "", "{\"reason\":\"expired\"}")).end == "{\"reason\":\"expired\"}")
    }
}
