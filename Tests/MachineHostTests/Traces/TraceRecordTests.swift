import HTTPModel
import Testing

@testable import MachineHost

/// Traces in the journal.
struct TraceRecordTests {
    private let trace = TraceLink(TraceContext(traceID: 7, spanID: 9, state: "rojo=1"))

    private func bytes(_ record: TurnRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        record.append(to: &bytes)
        return bytes
    }

    private func effect(_ trace: TraceLink?) -> OpenEffect {
        OpenEffect(
            id: 1, name: "search", startedAt: 5, cancellationNames: ["Int 1"], trace: trace,
            work: .answer(question: Array("\"x\"".utf8)[...], key: "k"))
    }

    @Test func `a row is read with the trace of its turn and of its effects`() throws {
        var record = TurnRecord(time: 1, version: 2)
        record.trace = trace
        #expect(try TurnRecord(bytes(record)[...]) == record)
        record.effects = [.started(effect(trace)), .ended(id: 1, .finished)]
        record.change = Array("{}".utf8)[...]
        #expect(try TurnRecord(bytes(record)[...]) == record)
    }

    @Test func `a row without a trace has the bytes that it had before there were traces`() throws {
        var record = TurnRecord(time: 1, version: 2)
        record.effects = [.started(effect(nil))]
        // Flags, time, fraction, version, states, one event: a start with its id, name, time, lease, names, question and key.
        let expected: [UInt8] =
            [32, 2, 0, 2, 0, 1, 0, 1, 6] + Array("search".utf8) + [10, 1, 0, 1, 5] + Array("Int 1".utf8)
            + [1, 3] + Array("\"x\"".utf8) + [1] + Array("k".utf8)
        #expect(bytes(record) == expected)
        #expect(try TurnRecord(expected[...]) == record)
    }

    @Test func `an older build reads the trace as things that do nothing`() {
        // What it knows: an answer to the effect 0, which never exists, and one more name by which nothing is cancelled.
        var open = [effect(nil)]
        open.apply([.ended(id: 0, .answer(trace.json))])
        #expect(open == [effect(nil)])
        var record = TurnRecord(time: 1, version: 2)
        record.trace = trace
        let stored =
            [UInt8]([32, 2, 0, 2, 0, 1, 3, 0, UInt8(trace.text.utf8.count + 2)]) + Array("\"\(trace.text)\"".utf8)
        #expect(bytes(record) == stored)
    }

    @Test func `a stored trace that is invalid does no harm`() throws {
        let text = Array("no trace".utf8)
        let record = try TurnRecord([32, 2, 0, 2, 0, 1, 3, 0, UInt8(text.count)] + text[...])
        #expect(record == TurnRecord(time: 1, version: 2))
    }

    @Test func `a stored session knows the trace of changes in its rows`() {
        var session = StoredSession(machine: "m", epoch: Epoch(bits: 1), created: 0, lastInput: 0, version: 1)
        var record = TurnRecord(time: 1, version: 2)
        record.change = Array("{}".utf8)[...]
        record.trace = trace
        session.apply(record)
        #expect(session.changes.last?.traceparent == Array(trace.context.traceparent.utf8)[...])
    }
}
