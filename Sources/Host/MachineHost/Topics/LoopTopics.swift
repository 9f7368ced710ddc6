import HTTPModel
import Locking
import Telemetry

/// The topics of a host: the only place that knows more than one loop.
///
/// What is published here reaches the sessions of this process. Values of other processes would enter by ``publish(_:)``, too.
final class TopicHub: Sendable {
    private let table: Lock<TopicTable>
    private let shards: ShardTable

    init(_ limits: TopicLimits, _ shards: ShardTable) {
        table = Lock(TopicTable(limits))
        self.shards = shards
    }

    /// Publishes a value. Returns what was lost on the way to the loops.
    func publish(_ publication: Publication) -> TopicTable.Outcome { perform { $0.publish(publication) } }

    /// Publishes the members of a topic.
    func publishList(_ topic: String) { _ = perform { $0.publishList(topic) } }

    private func perform(_ change: (inout TopicTable) -> TopicTable.Outcome) -> TopicTable.Outcome {
        let outcome = table.withLock(change)
        for loop in outcome.loops {
            guard let shard = shards[loop] else {
                discard(loop)
                continue
            }
            shard.execute { [self] shard in
                if let shard { shard.topics.deliver() } else { discard(loop) }
            }
        }
        return outcome
    }

    /// Drops the values for a loop whose shard no longer exists.
    private func discard(_ loop: Int) {
        while take(for: loop) != nil {}
    }

    /// Removes and returns the next value for a loop; nil if none waits.
    func take(for loop: Int) -> TopicValue? { table.withLock { $0.take(for: loop) } }

    func current(_ topic: String) -> TopicValue? { table.withLock { $0.current(topic) } }

    func subscribe(to topic: String, on loop: Int) throws(TopicLimitReached) -> TopicTable.Beginning {
        try table.withLock { table throws(TopicLimitReached) in try table.subscribe(to: topic, on: loop) }
    }

    func unsubscribe(from topic: String, on loop: Int) { table.withLock { $0.unsubscribe(from: topic, on: loop) } }

    func enter(_ topic: String, _ member: TopicTable.Member, _ json: [UInt8]) throws(TopicLimitReached) -> Int? {
        try table.withLock { table throws(TopicLimitReached) in try table.enter(topic, member, json) }
    }

    func leave(_ topic: String, _ member: TopicTable.Member) -> Int? { table.withLock { $0.leave(topic, member) } }
}

/// The sessions of a loop that subscribe to topics. Confined to the loop.
final class LoopTopics {
    /// The least number of milliseconds for which the changes of a list of members are collected. A list that many sessions receive is
    /// published less often, with a thousand turns in a second at most.
    private static let listDelay = 100
    /// The number of sessions that receive a value in one round. The turns of all subscribers of a broadcast in a row would delay what other
    /// sessions of the loop wait for, such as their stored responses.
    static let sessionsPerRound = 32

    private let hub: TopicHub
    private let loop: any EventLoop
    private var sessions: [String: [ObjectIdentifier: SessionTopics]] = [:]
    /// The topics whose members have changed, until the list is published.
    private var changedLists: Set<String> = []
    /// The value that is being delivered, and the sessions that have not received it.
    private var delivery: (value: TopicValue, rest: [SessionTopics])?

    init(_ hub: TopicHub, _ loop: any EventLoop) {
        (self.hub, self.loop) = (hub, loop)
    }

    /// Adds a session to the subscribers of a topic.
    func add(_ session: SessionTopics, to topic: String) throws(TopicLimitReached) -> TopicTable.Beginning {
        loop.assertCurrent()
        let beginning = try hub.subscribe(to: topic, on: loop.index)
        sessions[topic, default: [:]][ObjectIdentifier(session)] = session
        return beginning
    }

    func remove(_ session: SessionTopics, from topic: String) {
        guard sessions[topic]?.removeValue(forKey: ObjectIdentifier(session)) != nil else { return }
        if sessions[topic]?.isEmpty == true { sessions[topic] = nil }
        hub.unsubscribe(from: topic, on: loop.index)
    }

    func current(_ topic: String) -> TopicValue? { hub.current(topic) }

    /// Publishes a value, and counts it for the machine that has sent it.
    func publish(_ publication: Publication, _ meter: MachineMeter) {
        let outcome = hub.publish(publication)
        meter.published.add()
        meter.conflated.add(UInt64(outcome.conflated))
        meter.dropped.add(UInt64(outcome.dropped))
    }

    /// Passes the values that wait for the loop to its sessions: to some in each round, behind whose turns it continues.
    func deliver() {
        loop.assertCurrent()
        var count = 0
        while let (value, rest) = delivery ?? next() {
            var rest = rest
            // Emptied first, so that the array is not copied.
            delivery = nil
            while let session = rest.popLast() {
                session.receive(value)
                count += 1
                guard count == LoopTopics.sessionsPerRound || loop.isRoundOver else { continue }
                delivery = (value, rest)
                return loop.execute { [topics = UnsafeTransfer(self)] in topics.value.deliver() }
            }
        }
    }

    private func next() -> (TopicValue, [SessionTopics])? {
        hub.take(for: loop.index).map { ($0, Array((sessions[$0.topic] ?? [:]).values)) }
    }
}

// Members.
extension LoopTopics {
    func enter(_ topic: String, _ session: SessionTopics, _ json: [UInt8]) throws(TopicLimitReached) {
        if let count = try hub.enter(topic, ObjectIdentifier(session), json) { publishList(of: topic, to: count) }
    }

    func leave(_ topic: String, _ session: SessionTopics) {
        if let count = hub.leave(topic, ObjectIdentifier(session)) { publishList(of: topic, to: count) }
    }

    /// Publishes the members soon. Clients that come and go must not cause turns of all others for each of them.
    private func publishList(of topic: String, to count: Int) {
        // The sessions of a loop that has stopped may end elsewhere.
        guard loop.isCurrent else { return hub.publishList(topic) }
        guard changedLists.insert(topic).inserted else { return }
        _ = loop.schedule(after: .milliseconds(max(LoopTopics.listDelay, count))) { [weak self] in
            self?.changedLists.remove(topic)
            self?.hub.publishList(topic)
        }
    }
}
