import Testing

@testable import GranaryClient

struct ChangeBufferTests {
    private func change(
        _ total: Int, kind: MachineChange<Tally>.Kind = .turn, changed: Set<String> = ["total"]
    ) -> MachineChange<Tally> {
        MachineChange(
            kind: kind, version: UInt64(total), changed: changed, outputs: Tally.Outputs(values: [], total: total),
            events: [.added(total)])
    }

    @Test func `changes are taken in order`() {
        var buffer = ChangeBuffer<Tally>(limit: 3)
        #expect(buffer.take() == nil)
        for total in 1...3 { buffer.append(change(total)) }
        for total in 1...3 { #expect(buffer.take()?.outputs.total == total) }
        #expect(buffer.take() == nil)
    }

    @Test func `a full buffer keeps the latest outputs as a snapshot of everything that changed`() throws {
        var buffer = ChangeBuffer<Tally>(limit: 2)
        buffer.append(change(1, changed: ["values"]))
        buffer.append(change(2))
        buffer.append(change(3))
        let taken = buffer.take()
        let snapshot = try #require(taken)
        #expect(snapshot.kind == .snapshot)
        #expect(snapshot.version == 3)
        #expect(snapshot.outputs.total == 3)
        #expect(snapshot.changed == ["values", "total"])
        #expect(buffer.take() == nil)
    }

    @Test func `a reader learns of another session, however slow it is`() {
        var buffer = ChangeBuffer<Tally>(limit: 2)
        buffer.append(change(1, kind: .newSession(after: .expired)))
        for total in 2...9 { buffer.append(change(total)) }
        #expect(buffer.take()?.kind == .newSession(after: .expired))
    }
}
