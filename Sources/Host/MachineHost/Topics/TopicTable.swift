import Synchronization

/// Decides who gets the values of topics, which of them are lost, and who is a member. The topics of a host, on all loops.
struct TopicTable {
    /// The result of a publication.
    struct Outcome: Equatable {
        /// The loops that must be told, because they have emptied their queues.
        var loops: [Int] = []
        /// The number of values that newer ones have replaced in the queues of loops.
        var conflated = 0
        /// The number of values that were lost because the queue of a loop, or all topics together, had no room.
        var dropped = 0
    }

    /// What a session that subscribes must know.
    struct Beginning {
        /// The number of the last value of all topics. Later ones have greater numbers.
        let number: UInt64
        /// The current value; nil if the topic has none.
        let current: TopicValue?
    }

    /// A session, as the key of its membership.
    typealias Member = ObjectIdentifier

    private struct Topic {
        var current: TopicValue?
        /// The number of sessions that subscribe, by loop.
        var subscribers: [Int: Int] = [:]
        /// The members in the order in which they came, with what they state.
        var members: [(key: Member, statement: TopicValue)] = []

        var subscriberCount: Int { subscribers.values.reduce(0, +) }

        var isIdle: Bool { subscribers.isEmpty && members.isEmpty }
    }

    private let limits: TopicLimits
    private let bytes = TopicBytes()
    private var topics: [String: Topic] = [:]
    /// The number of the last value of all topics. A topic that is forgotten and used again must not reuse numbers: older values may still
    /// wait for a loop.
    private var lastNumber: UInt64 = 0
    private var queues: [Int: TopicQueue] = [:]
    /// The loops that were told of values and have not emptied their queues since.
    private var told: Set<Int> = []

    init(_ limits: TopicLimits) {
        self.limits = limits
    }

    var count: Int { topics.count }

    /// The bytes of all values that wait or are current.
    var byteCount: Int { bytes.count.load(ordering: .relaxed) }

    /// Adds a session of a loop to the subscribers of a topic.
    mutating func subscribe(to name: String, on loop: Int) throws(TopicLimitReached) -> Beginning {
        try create(name)
        guard let topic = topics[name], topic.subscriberCount < limits.subscribers else {
            throw .subscribers(of: name, limits.subscribers)
        }
        topics[name]?.subscribers[loop, default: 0] += 1
        return Beginning(number: lastNumber, current: topic.current)
    }

    /// Returns the current value of a topic; nil if it has none.
    func current(_ name: String) -> TopicValue? { topics[name]?.current }

    /// Removes a session of a loop from the subscribers of a topic.
    mutating func unsubscribe(from name: String, on loop: Int) {
        guard let count = topics[name]?.subscribers[loop] else { return }
        assert(count > 0, "expected a subscriber of \"\(name)\" on the loop \(loop)")
        topics[name]?.subscribers[loop] = count > 1 ? count - 1 : nil
        discardIfUnused(name)
    }

    /// Publishes a value, which the loops of its subscribers then take.
    mutating func publish(_ publication: Publication) -> Outcome {
        let name = publication.topic
        var outcome = Outcome()
        // Nobody receives it, and nobody will.
        if topics[name] == nil, publication.rule != .latest { return outcome }
        guard makeRoom(for: publication.json.count), (try? create(name)) != nil else { return Outcome(dropped: 1) }
        guard var topic = topics[name], !publication.isOffer || topic.current == nil else { return outcome }
        lastNumber += 1
        let value = TopicValue(publication, number: lastNumber, in: bytes)
        if publication.rule == .latest { topic.current = value }
        topics[name] = topic
        for loop in topic.subscribers.keys.sorted() {
            switch queues[loop, default: TopicQueue()].add(value, limit: limits.queuedValues) {
            case nil: break
            case .conflated: outcome.conflated += 1
            case .dropped: outcome.dropped += 1
            }
            if told.insert(loop).inserted { outcome.loops.append(loop) }
        }
        return outcome
    }

    /// Removes and returns the next value for a loop; nil if none waits, so that the loop must be told of the next one.
    mutating func take(for loop: Int) -> TopicValue? {
        if let value = queues[loop]?.removeFirst() { return value }
        queues[loop] = nil
        told.remove(loop)
        return nil
    }

    /// Returns whether there is room for more bytes, if necessary in place of topics that only have a current value.
    private mutating func makeRoom(for count: Int) -> Bool {
        var missing = byteCount + count - limits.bytes
        guard missing > 0 else { return true }
        var unused: [String] = []
        for (name, topic) in topics where topic.isIdle {
            unused.append(name)
            missing -= topic.current?.json.count ?? 0
            if missing <= 0 { break }
        }
        guard missing <= 0 else { return false }
        for name in unused { topics[name] = nil }
        return true
    }

    /// Creates a topic, if necessary in place of one that only has a current value.
    private mutating func create(_ name: String) throws(TopicLimitReached) {
        guard topics[name] == nil else { return }
        guard 1...TopicLimits.nameBytes ~= name.utf8.count else { throw .name(name.utf8.count) }
        if topics.count >= limits.count {
            guard let idle = topics.first(where: \.value.isIdle)?.key else { throw .topics(limits.count) }
            topics[idle] = nil
        }
        topics[name] = Topic()
    }

    private mutating func discardIfUnused(_ name: String) {
        if let topic = topics[name], topic.isIdle, topic.current == nil { topics[name] = nil }
    }
}

// Members.
extension TopicTable {
    /// Adds a member to a topic, or replaces what it states as JSON.
    ///
    /// - Returns: The number of sessions to which the list must be published soon; nil if it has not changed.
    mutating func enter(_ name: String, _ member: Member, _ json: [UInt8]) throws(TopicLimitReached) -> Int? {
        guard makeRoom(for: json.count) else { throw .bytes(limits.bytes) }
        try create(name)
        let statement = TopicValue(Publication(topic: name, rule: .latest, json: json), number: 0, in: bytes)
        // In place: a copy of the topic would copy all members.
        if let place = topics[name]?.members.firstIndex(where: { $0.key == member }) {
            guard topics[name]?.members[place].statement.json != json else { return nil }
            topics[name]?.members[place].statement = statement
        } else {
            guard topics[name]?.members.count ?? 0 < limits.subscribers else {
                throw .subscribers(of: name, limits.subscribers)
            }
            topics[name]?.members.append((member, statement))
        }
        return topics[name]?.subscriberCount
    }

    /// Removes a member.
    ///
    /// - Returns: The number of sessions to which the list must be published soon; nil if it has not changed.
    mutating func leave(_ name: String, _ member: Member) -> Int? {
        guard let place = topics[name]?.members.firstIndex(where: { $0.key == member }) else { return nil }
        topics[name]?.members.remove(at: place)
        return topics[name]?.subscriberCount
    }

    /// Publishes the list of members, as far as it fits into a value, with their number.
    mutating func publishList(_ name: String) -> Outcome {
        guard let topic = topics[name] else { return Outcome() }
        guard !topic.isIdle else {
            topics[name] = nil
            return Outcome()
        }
        var json = Array("{\"count\":\(topic.members.count),\"members\":[".utf8)
        let beginning = json.count
        // One that states more than the others have room for must not hide all who came later.
        for member in topic.members where json.count + member.statement.json.count + 3 <= limits.valueBytes {
            if json.count > beginning { json.append(UInt8(ascii: ",")) }
            json.append(contentsOf: member.statement.json)
        }
        json.append(contentsOf: "]}".utf8)
        return publish(Publication(topic: name, rule: .latest, json: json))
    }
}
