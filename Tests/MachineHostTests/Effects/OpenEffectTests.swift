import Testing

@testable import MachineHost

/// The stored form of effects.
struct OpenEffectTests {
    private let question = Array("{\"text\":\"swift\"}".utf8)[...]
    private var search: OpenEffect {
        OpenEffect(id: 7, name: "search", startedAt: 1_000, lease: 2, work: .answer(question: question, key: "k"))
    }
    private var tick: OpenEffect {
        OpenEffect(id: 8, name: "tick", startedAt: 2_000, work: .time(1_767_225_600_999_999_999))
    }

    @Test func `the events of a turn are the same after they were stored`() throws {
        var record = TurnRecord(time: 1, version: 2)
        record.effects = [
            .started(search), .started(tick), .asked(id: 7, lease: 3), .fired(id: 8, due: -5),
            .ended(id: 1, .answer(question)), .ended(id: 2, .failure([])), .ended(id: 3, .finished),
            .ended(id: 4, .cancelled), .ended(id: 5, .interrupted),
        ]
        var bytes: [UInt8] = []
        record.append(to: &bytes)
        #expect(try TurnRecord(bytes[...]) == record)
        for count in 0..<bytes.count {
            #expect(throws: RecordReader.Damaged.self) { try TurnRecord(bytes[..<count]) }
        }
    }

    @Test func `a turn that only started an effect is not empty`() {
        var record = TurnRecord(time: 1, version: 2)
        #expect(record.isEmpty)
        record.effects = [.started(search)]
        #expect(!record.isEmpty)
    }

    @Test func `a session keeps what is in progress`() throws {
        var session = StoredSession(machine: "m", epoch: Epoch(bits: 1), created: 1, lastInput: 2, version: 3)
        session.effects = [search, tick]
        var bytes: [UInt8] = []
        session.append(to: &bytes)
        #expect(try StoredSession(bytes[...]) == session)
        for count in 0..<bytes.count {
            #expect(throws: RecordReader.Damaged.self) { try StoredSession(bytes[..<count]) }
        }
    }

    @Test func `turns advance what is in progress`() {
        var effects: [OpenEffect] = []
        effects.apply([.started(search), .started(tick), .asked(id: 7, lease: 3), .fired(id: 8, due: 5_999_999)])
        #expect(effects.map(\.lease) == [3, 1])
        #expect(effects[1].work == .time(5_999_999))
        effects.apply([.ended(id: 8, .cancelled), .ended(id: 9, .cancelled), .asked(id: 9, lease: 9)])
        #expect(effects.map(\.id) == [7])
    }

    @Test func `an unknown event is damaged`() {
        var writer = RecordWriter()
        writer.append(8)
        writer.append(1)
        var reader = RecordReader(writer.take()[...])
        #expect(throws: RecordReader.Damaged.self) { try reader.effectEvent() }
    }
}
