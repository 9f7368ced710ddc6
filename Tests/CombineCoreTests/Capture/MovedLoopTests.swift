import CaptureTesting
import CombineCore
import Locking
import StateCapture
import Testing

/// Sources that are subscribed in a turn, whatever thread the session's loop has.
struct MovedLoopTests {
    typealias Wire = @Sendable (PassthroughSubject<Int, Never>, PassthroughSubject<Void, Never>) -> AnyCancellable

    private struct Failed: Error {}

    static let wires: [(name: String, wire: Wire)] = [
        ("flatMap", { numbers, go in go.flatMap { numbers.first() }.sink { _ in } }),
        ("switchToLatest", { numbers, go in go.map { numbers.collect(2) }.switchToLatest().sink { _ in } }),
        ("append", { numbers, go in go.first().map { 0 }.append(numbers.first()).sink { _ in } }),
        ("catch", { numbers, go in go.tryMap { throw Failed() }.catch { _ in numbers.first() }.sink { (_: Int) in } }),
    ]

    static let all = wires.indices

    /// Returns the keys of what a turn changes, of the sources that it subscribes to.
    private func keys(after turns: Int, _ wire: Wire) throws -> [String] {
        let (numbers, go) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
        let registry = StateRegistry(clockOffset: 0)
        let token = registry.wire { wire(numbers, go) }
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        bytes = []
        let threads = AlternatingThread()
        // The first turn has another thread, the second one that of the wiring.
        for turn in 1...turns { threads.run { if turn == turns { go.send(()) } } }
        _ = try registry.appendChanges(to: &bytes)
        token.cancel()
        return StateChanges(bytes[...]).map(\.key).filter { $0.contains("/") }
    }

    @Test(arguments: MovedLoopTests.all) func `a source is captured on every thread of the loop`(index: Int) throws {
        let wire = MovedLoopTests.wires[index].wire
        let stayed = try keys(after: 2, wire)
        #expect(!stayed.isEmpty, "\(MovedLoopTests.wires[index].name)")
        #expect(try keys(after: 1, wire) == stayed, "\(MovedLoopTests.wires[index].name)")
    }

    @Test(arguments: MovedLoopTests.all) func `a source that is subscribed outside of the loop is not`(index: Int)
        throws
    {
        // Confined to the test's threads, which run one at a time.
        let isOnLoop = Lock(true)
        let (numbers, go) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
        let registry = StateRegistry(clockOffset: 0) { isOnLoop.withLock { $0 } }
        let token = registry.wire { MovedLoopTests.wires[index].wire(numbers, go) }
        isOnLoop.withLock { $0 = false }
        go.send(())
        isOnLoop.withLock { $0 = true }
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        #expect(StateChanges(bytes[...]).map(\.key).filter { $0.contains("/") } == [])
        token.cancel()
    }
}
