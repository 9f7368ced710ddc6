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
            let streams = harness.shards.flatMap(\.sessions.values).map(\.streams)
            #expect(streams.count == 30)
            var heap = HeapSizes()
            heap.add(stream)
            for single in streams {
                heap.add(array: single)
                for stream in single { heap.add(object: stream) }
            }
            #expect(heap.total <= 30 * 300, "\(heap.total / 30) bytes per session: \(heap)")
        }
    }
}

/// The bytes on the heap of what a combined stream consists of.
///
/// An allocator returns up to 16 bytes more than requested if the rest of a block is too small to be of use: more often in a process that
/// has run other tests. The smallest allocation of a kind shows what was requested.
private struct HeapSizes {
    private var kinds: [String: (count: Int, least: Int)] = [:]

    var total: Int { kinds.values.reduce(0) { $0 + $1.count * $1.least } }

    /// Adds an object or a structure with its arrays and feeds.
    mutating func add(_ value: Any) {
        switch value {
        case let array as [UInt8]: return add(array: array)
        case let array as [UInt16]: return add(array: array)
        case let array as [SessionStream?]: return add(array: array)
        case let array as [Inflow]:
            add(array: array)
            return array.forEach { add($0) }
        default: break
        }
        if value is CombinedStream || value is StreamFeed {
            add(object: value as AnyObject)
        } else if !(value is CombinedPosition || value is EventRewriter || value is EventScanner || value is Inflow
            || value is FeedBatch)
        {
            return
        }
        // A feed refers to its stream.
        for child in Mirror(reflecting: value).children where child.label != "outlet" { add(child.value) }
    }

    mutating func add(object: AnyObject) {
        add(MemoryInUse.size(of: object), of: "\(type(of: object))")
    }

    /// Adds the buffer of an array.
    mutating func add<Element>(array: [Element]) {
        if !array.isEmpty { add(MemoryInUse.size(ofArray: array), of: "\(array.count) of \(Element.self)") }
    }

    private mutating func add(_ size: Int?, of kind: String) {
        let size = (size ?? 0) + MemoryInUse.header
        let (count, least) = kinds[kind] ?? (0, .max)
        kinds[kind] = (count + 1, min(least, size))
    }
}

extension MemoryInUse {
    /// The bytes that the allocator adds to each allocation.
    fileprivate static let header = 8
    /// The bytes of an array's buffer before its elements.
    private static let arrayHeader = 32

    /// Returns the bytes that the buffer of an array occupies on the heap; nil if the system does not report it.
    fileprivate static func size<Element>(ofArray array: [Element]) -> Int? {
        array.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { size(at: UnsafeMutableRawPointer(mutating: $0 - arrayHeader)) }
        }
    }
}
