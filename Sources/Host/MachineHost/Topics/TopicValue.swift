import CombineCore
import Synchronization

/// A value that a turn has sent, until it is published.
struct Publication {
    let topic: String
    let rule: TopicRule
    let json: [UInt8]
    /// Whether it is published only if the topic has no current value.
    var isOffer = false
    /// The span of the turn; nil if it belongs to no sampled trace.
    var trace: TraceLink?
    /// The number of publications in a row that led to it, each sent by the turn that has received the one before.
    var depth = 0
}

/// A published value. Shared by all sessions that receive it, on all loops.
final class TopicValue: Sendable {
    let publication: Publication
    /// Its number among the values of all topics, from 1.
    let number: UInt64
    fileprivate let total: TopicBytes

    init(_ publication: Publication, number: UInt64, in total: TopicBytes) {
        (self.publication, self.number, self.total) = (publication, number, total)
        total.count.add(publication.json.count, ordering: .relaxed)
    }

    deinit {
        total.count.subtract(publication.json.count, ordering: .relaxed)
    }

    var topic: String { publication.topic }
    var json: [UInt8] { publication.json }
}

/// The bytes of all published values that are still needed, and of the queues in which they wait.
final class TopicBytes: Sendable {
    // Relaxed: it guards a limit, not memory.
    let count = Atomic(0)
}

/// The values of topics that wait: for a session, or for a loop. Empty it before it is released: its places count.
struct TopicQueue {
    /// The reason for which a value was lost.
    enum Loss: Equatable {
        /// A newer value has taken its place.
        case conflated
        /// There was no room.
        case dropped
    }

    /// The bytes that a value takes in a queue. Of a value for many sessions, they are more than the value.
    static let bytesPerPlace = 32

    private var values: [String: Queue<TopicValue>] = [:]
    /// The topic of each value. One that is lost leaves its place to the next value of its topic.
    private var order = Queue<String>()

    var isEmpty: Bool { order.isEmpty }

    /// Adds a value.
    ///
    /// - Parameter limit: The number of values of its topic that may wait.
    /// - Returns: The reason for which a value of the topic was lost; nil if none was, so that one more waits.
    mutating func add(_ value: TopicValue, limit: Int) -> Loss? {
        let rule = value.publication.rule
        let count = values[value.topic]?.count ?? 0
        guard count >= (rule == .latest ? 1 : limit) else {
            values[value.topic, default: Queue()].append(value)
            order.append(value.topic)
            value.total.count.add(TopicQueue.bytesPerPlace, ordering: .relaxed)
            return nil
        }
        guard rule != .dropNewest else { return .dropped }
        _ = values[value.topic]?.removeFirst()
        values[value.topic]?.append(value)
        return rule == .latest ? .conflated : .dropped
    }

    mutating func removeAll() {
        while removeFirst() != nil {}
    }

    /// Removes and returns the next value; nil if none waits. The values of a topic keep their order.
    mutating func removeFirst() -> TopicValue? {
        guard let topic = order.removeFirst() else { return nil }
        let value = values[topic]?.removeFirst()
        if values[topic]?.isEmpty == true { values[topic] = nil }
        assert(value != nil, "expected a value of \"\(topic)\" for each place")
        value?.total.count.subtract(TopicQueue.bytesPerPlace, ordering: .relaxed)
        return value
    }
}
