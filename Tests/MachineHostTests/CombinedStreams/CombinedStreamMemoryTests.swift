import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// What a session costs on a combined stream.
@Suite(.serialized) struct CombinedStreamMemoryTests {
    @Test func `each of 30 sessions on a stream costs at most 300 bytes`() throws {
        guard MemoryInUse.size(ofArray: [1, 2, 3]) != nil else { return }
        for loops in [1, 2] {
            let harness = try LoopHarness(loops)
            let sessions = (0..<30).map { harness.makeSession(on: $0 % loops) }
            let query = sessions.map { "session=\($0)" }.joined(separator: "&")
            guard case .stream(let body)? = harness.open(query)?.body, let stream = body as? CombinedStream else {
                Issue.record("expected a combined stream")
                return
            }
            let client = CombinedClient()
            client.connect(body)
            harness.settle(client)
            for session in sessions { harness.input(session, "increment") }
            harness.settle(client)
            #expect(client.names(of: sessions[29]) == ["snapshot", "change"])
            let singles = harness.shards.flatMap(\.sessions.values).map { session in
                session.streams.reduce(MemoryInUse.size(ofArray: session.streams) ?? 0) {
                    $0 + (MemoryInUse.size(of: $1) ?? 0) + MemoryInUse.header
                }
            }
            let total = singles.reduce(size(of: stream), +)
            #expect(singles.count == 30)
            #expect(total <= 30 * 300, "\(total / 30) bytes per session, \(singles.max() ?? 0) of a single stream")
        }
    }

    /// The bytes of an object or a structure on the heap, with its arrays and feeds.
    private func size(of value: Any) -> Int {
        switch value {
        case let array as [UInt8]: return MemoryInUse.size(ofArray: array) ?? 0
        case let array as [UInt16]: return MemoryInUse.size(ofArray: array) ?? 0
        case let array as [SessionStream?]: return MemoryInUse.size(ofArray: array) ?? 0
        case let array as [Inflow]:
            return array.reduce(MemoryInUse.size(ofArray: array) ?? 0) { $0 + size(of: $1) }
        default: break
        }
        var own = 0
        if value is CombinedStream || value is StreamFeed {
            own = (MemoryInUse.size(of: value as AnyObject) ?? 0) + MemoryInUse.header
        } else if !(value is CombinedPosition || value is EventRewriter || value is Inflow || value is FeedBatch) {
            return 0
        }
        // A feed refers to its stream.
        let children = Mirror(reflecting: value).children.filter { $0.label != "outlet" }
        return children.reduce(own) { $0 + size(of: $1.value) }
    }
}

extension MemoryInUse {
    /// The bytes that the allocator adds to each allocation.
    fileprivate static let header = 8
    /// The bytes of an array's buffer before its elements.
    private static let arrayHeader = 32

    /// Returns the bytes that the buffer of an array occupies on the heap; nil if the system does not report it.
    fileprivate static func size<Element>(ofArray array: [Element]) -> Int? {
        guard !array.isEmpty else { return 0 }
        let found = array.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { size(at: UnsafeMutableRawPointer(mutating: $0 - arrayHeader)) }
        }
        return found.map { $0 + header }
    }
}
