import HTTPModel
import Testing

struct ClientTableTests {
    private typealias Client = ClientTable.Client

    private func admit(_ table: inout ClientTable, _ address: String, _ now: UInt64) -> ClientTable.Refusal? {
        table.admit(Client(address), now: now)
    }

    @Test func `a refusal states whether the client has too many connections or makes them too fast`() {
        var table = ClientTable(connections: 2, newPerSecond: 4)
        #expect(admit(&table, "192.0.2.1", 0) == nil)
        #expect(admit(&table, "192.0.2.1", 0) == nil)
        #expect(admit(&table, "192.0.2.1", 0) == .tooMany)
        for _ in 0..<2 {
            table.leave(Client("192.0.2.1"), now: 0)
            #expect(admit(&table, "192.0.2.1", 0) == nil)
        }
        table.leave(Client("192.0.2.1"), now: 0)
        #expect(admit(&table, "192.0.2.1", 0) == .tooFast)
    }

    @Test func `a client without connections is forgotten as soon as its rate has recovered`() {
        var table = ClientTable(connections: nil, newPerSecond: 4)
        #expect(admit(&table, "192.0.2.1", 1_000_000_000) == nil)
        #expect(admit(&table, "192.0.2.2", 1_000_000_000) == nil)
        table.leave(Client("192.0.2.1"), now: 1_249_999_999)
        #expect(table.count == 2)
        table.leave(Client("192.0.2.2"), now: 1_250_000_000)
        #expect(table.count == 1)
    }

    @Test func `leaving more often than entering has no effect`() {
        var table = ClientTable(connections: 1, newPerSecond: nil)
        table.leave(Client("192.0.2.1"))
        #expect(admit(&table, "192.0.2.1", 0) == nil)
        #expect(admit(&table, "192.0.2.1", 0) == .tooMany)
    }
}
