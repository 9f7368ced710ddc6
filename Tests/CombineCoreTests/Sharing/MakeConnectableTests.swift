import CombineCore
import Testing

@Suite struct MakeConnectableTests {
    @Test func `nothing is delivered before the publisher is connected`() {
        let connectable = [1, 2].publisher.makeConnectable()
        let first = connectable.record()
        let second = connectable.record()
        #expect(first.log.count == 1)
        let connection = connectable.connect()
        #expect(first.log.dropFirst() == ["1", "2", "finished"])
        #expect(second.log.dropFirst() == ["1", "2", "finished"])
        connection.cancel()
    }
}
