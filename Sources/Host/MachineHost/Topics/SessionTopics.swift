import CombineCore
import HTTPModel
import Locking
import Log
import StateCapture
import Telemetry

/// The topics of a session: what it has sent and is not published, and what it has received and no turn has run. Confined to the session's
/// loop, except where noted.
final class SessionTopics {
    private let scheduler: SessionScheduler
    let limits: TopicLimits
    /// The subscriptions, by topic.
    private var receivers: [String: [TopicReceiver]] = [:]
    /// The values that wait for a turn.
    private var inbox = TopicQueue()
    /// Whether a turn is scheduled for the next of them. One at a time: the loop serves all other sessions between two values, and however
    /// many wait, they are no chain of turns.
    private var isTurnScheduled = false
    /// What the turn in progress has sent.
    private var unrecorded: [Sent] = []
    /// What turns have sent that are not stored.
    private var unstored = Queue<(sequence: UInt64, sent: Sent)>()
    private var memberships: [Membership] = []
    /// The error for which the turn in progress fails.
    private(set) var failure: (any Error)?
    /// The number of the last value of ``ownMembers``.
    private var ownNumber: UInt64 = 0
    /// The topics of the loop; nil before the session has used one.
    private var loopTopics: LoopTopics?

    private enum Sent {
        case value(Publication)
        /// What the session states as a member of a topic from now on; nil if it is no member any more.
        case statement(Membership, [UInt8]?)
    }

    init(_ scheduler: SessionScheduler) {
        self.scheduler = scheduler
        limits = scheduler.session?.host.configuration.topics ?? TopicLimits()
    }

    private var session: Session? { scheduler.session }

    /// Whether values come from a record, so that nothing is published or received.
    private var isReplaying: Bool { session?.context.declaredEffects?.isReplaying == true }

    /// A topic that keeps the session in memory; nil if it subscribes to none, and is a member of none.
    var topicInUse: String? { receivers.keys.min() ?? memberships.first { $0.statement != nil }?.topic }

    /// Makes the turn in progress fail.
    private func fail(_ error: any Error) {
        failure = failure ?? error
        if session?.isInTurn == false { scheduler.openTurn() }
    }

    /// Returns the topics of the loop.
    private func topics(of session: Session) -> LoopTopics {
        let topics = loopTopics ?? session.shard.topics
        loopTopics = topics
        return topics
    }

    /// Drops everything except what stored turns have sent, because the session has ended.
    func close() {
        let former = (receivers, memberships)
        (receivers, memberships, unrecorded) = ([:], [], [])
        inbox.removeAll()
        for topic in former.0.keys { loopTopics?.remove(self, from: topic) }
        for membership in former.1 { loopTopics?.leave(membership.topic, self) }
        // Released after the state is cleared: what it has captured may call back.
        withExtendedLifetime(former) {}
    }
}

// Sending.
extension SessionTopics {
    /// Publishes a value when the turn in progress is stored. Callable from any thread.
    func send<Value>(_ value: Value, to topic: Topic<Value>, isOffer: Bool) {
        // What the factory of a restored machine sends was sent when the session began.
        if StateRegistry.isRestoring { return }
        inTurn { topics in
            // A list that a machine could send would name members that are not there.
            if topic.name.utf8.starts(with: SessionTopics.ownMembers.utf8) {
                return topics.fail(TopicLimitReached.reserved(topic.name))
            }
            guard !topics.isReplaying, let json = topics.encode(value, for: topic.name) else { return }
            let turns = topics.session?.turns
            topics.unrecorded.append(
                .value(
                    Publication(
                        topic: topic.name, rule: topic.rule, json: json, isOffer: isOffer, trace: turns?.trace?.link,
                        depth: (turns?.current?.publications ?? 0) + 1)))
        }
    }

    /// Runs work in the turn in progress, or in one of its own. Callable from any thread.
    private func inTurn(_ work: @escaping (SessionTopics) -> Void) {
        guard scheduler.loop.isCurrent, session?.isInTurn != false else {
            let work = UnsafeTransfer((self, work))
            return scheduler.schedule { work.value.0.inTurn(work.value.1) }
        }
        if let session, session.endReason == nil { work(self) }
    }

    /// Returns a value as JSON; nil if the turn in progress fails because of it.
    private func encode(_ value: some Encodable, for topic: String) -> [UInt8]? {
        do {
            let json = try EffectJSON.encode(value)
            guard json.count <= limits.valueBytes else {
                throw TopicLimitReached.value(of: topic, json.count, limits.valueBytes)
            }
            guard 1...TopicLimits.nameBytes ~= topic.utf8.count else { throw TopicLimitReached.name(topic.utf8.count) }
            let depth = session?.turns.current?.publications ?? 0
            let limit = session?.host.configuration.turnsInARow ?? .max
            guard depth < limit else { throw EndlessPublications(topic: topic, limit: limit) }
            return json
        } catch let error as any LoggableError {
            fail(error)
        } catch {
            fail(UnpublishableValue(topic: topic, cause: error))
        }
        return nil
    }

    /// The bytes of the values that the turn in progress has sent.
    var unrecordedBytes: Int {
        unrecorded.reduce(0) { bytes, sent in
            if case .value(let publication) = sent { bytes + publication.json.count } else { bytes }
        }
    }

    /// Publishes what the turn that has ended has sent, as soon as it is stored.
    func turnEnded(storedBy journal: TurnJournal?) {
        guard !unrecorded.isEmpty, let session else { return }
        let sent = unrecorded
        unrecorded = []
        // A turn that has left nothing to store is as durable as those before it.
        guard session.storage != nil, let journal, session.lastSequence > journal.released else {
            for sent in sent { publish(sent, of: session) }
            return
        }
        for sent in sent { unstored.append((session.lastSequence, sent)) }
    }

    /// Publishes what stored turns have sent. The session may have ended since.
    func publish(upTo sequence: UInt64, of session: Session) {
        while let first = unstored.first, first.sequence <= sequence {
            _ = unstored.removeFirst()
            publish(first.sent, of: session)
        }
    }

    private func publish(_ sent: Sent, of session: Session) {
        switch sent {
        case .value(let publication): topics(of: session).publish(publication, session.meter)
        case .statement(let membership, let json):
            membership.published = json
            update(membership)
        }
    }
}

// Receiving.
extension SessionTopics {
    /// Begins a subscription. Callable from any thread.
    func begin(_ receiver: TopicReceiver) {
        guard scheduler.loop.isCurrent else {
            let transfer = UnsafeTransfer((self, receiver))
            return scheduler.loop.execute { transfer.value.0.begin(transfer.value.1) }
        }
        guard let session, session.endReason == nil, !receiver.isCancelled else { return }
        guard !isReplaying else { return receivers[receiver.topic, default: []].append(receiver) }
        guard receiver.topic != SessionTopics.ownMembers else {
            receivers[receiver.topic, default: []].append(receiver)
            return countStreams()
        }
        let topics = topics(of: session)
        let current: TopicValue?
        if receivers[receiver.topic] == nil {
            do throws(TopicLimitReached) {
                let beginning = try topics.add(self, to: receiver.topic)
                (receiver.number, current) = (beginning.number, beginning.current)
            } catch {
                return fail(error)
            }
        } else {
            current = topics.current(receiver.topic)
        }
        receivers[receiver.topic, default: []].append(receiver)
        guard let current else { return }
        receiver.number = current.number - 1
        receive(current)
    }

    /// Ends a subscription. Callable from any thread.
    func end(_ receiver: TopicReceiver) {
        guard scheduler.loop.isCurrent else {
            let transfer = UnsafeTransfer((self, receiver))
            return scheduler.loop.execute { transfer.value.0.end(transfer.value.1) }
        }
        guard receivers[receiver.topic] != nil else { return }
        receivers[receiver.topic]?.removeAll { $0 === receiver }
        guard receivers[receiver.topic]?.isEmpty == true else { return }
        receivers[receiver.topic] = nil
        loopTopics?.remove(self, from: receiver.topic)
    }

    /// Takes a value, which becomes a turn in a later round.
    func receive(_ value: TopicValue) {
        guard let session, session.endReason == nil, expects(value.topic, value.number) else { return }
        switch inbox.add(value, limit: limits.queuedValues) {
        case nil: scheduleTurn()
        case .conflated: session.meter.conflated.add()
        case .dropped: session.meter.dropped.add()
        }
    }

    /// Removes and returns the next value for a turn; nil if nobody expects one any more.
    func takeReceived() -> TopicValue? {
        isTurnScheduled = false
        defer { scheduleTurn() }
        while let value = inbox.removeFirst() {
            if expects(value.topic, value.number) { return value }
        }
        return nil
    }

    private func scheduleTurn() {
        guard !inbox.isEmpty, !isTurnScheduled else { return }
        isTurnScheduled = true
        scheduler.enqueueReceived()
    }

    private func expects(_ topic: String, _ number: UInt64) -> Bool {
        receivers[topic]?.contains { $0.number < number } == true
    }

    /// Passes a value to the subscribers, in a turn.
    func deliver(_ json: ArraySlice<UInt8>, of topic: String, number: UInt64) {
        // A copy: subscribers come and go meanwhile.
        for receiver in receivers[topic] ?? [] where receiver.number < number {
            receiver.number = number
            do {
                try receiver.receive(json)
            } catch {
                session?.meter.mismatched.add()
                session?.context.log.limited(
                    .warning, "a value of a topic has another type than the subscriber expects, and is dropped",
                    ["topic": .text(topic), "machine": .text(session?.machineKind.definition.name ?? "")])
            }
        }
    }
}

// Members.
extension SessionTopics {
    /// The topic of which the streams of this session are the members. Its values come from this session alone.
    static let ownMembers = "members:"

    /// Returns the topic whose value is the list of another one's members.
    // Of no topic, it must not be that of the streams.
    static func members(of topic: String) -> String { topic.isEmpty ? "" : ownMembers + topic }

    /// Returns what the session states as a member of a list: the same for all parts of the machine, of which one may state it and another
    /// one show the list. Nil if it is unknown.
    func membership(of list: String) -> Membership? {
        scheduler.loop.assertCurrent()
        return memberships.first { $0.topic == list }
    }

    /// Adds a topic of which the session may become a member.
    func add(_ membership: Membership) {
        scheduler.loop.assertCurrent()
        memberships.append(membership)
    }

    /// Makes the session a member of a topic while it has a stream, or ends its membership, when the turn in progress is stored. Callable
    /// from any thread.
    func state(_ member: (some Encodable)?, in membership: Membership) {
        // A restored machine has the statement that was stored.
        if StateRegistry.isRestoring { return }
        inTurn { topics in
            var json: [UInt8]?
            if let member {
                json = topics.encode(member, for: membership.topic)
                if json == nil { return }
            }
            membership.statement = json
            if !topics.isReplaying { topics.unrecorded.append(.statement(membership, json)) }
        }
    }

    /// Notes that the session has other streams: nobody is there without a stream.
    func streamsChanged() {
        for membership in memberships { update(membership) }
        if receivers[SessionTopics.ownMembers] != nil { countStreams() }
    }

    private func update(_ membership: Membership) {
        guard let session, session.endReason == nil, !isReplaying else { return }
        let topics = topics(of: session)
        guard let json = membership.published, !session.streams.isEmpty else {
            return topics.leave(membership.topic, self)
        }
        do throws(TopicLimitReached) {
            try topics.enter(membership.topic, self, json)
        } catch {
            session.context.log.limited(.warning, "a session is not listed as a member", ["reason": .error(error)])
        }
    }

    /// Receives the number of streams.
    private func countStreams() {
        guard let session, session.endReason == nil else { return }
        ownNumber += 1
        let json = Array("\(session.streams.count)".utf8)
        let count = Publication(topic: SessionTopics.ownMembers, rule: .latest, json: json)
        receive(TopicValue(count, number: ownNumber, in: TopicBytes()))
    }
}

/// A value that cannot be encoded.
private struct UnpublishableValue: LoggableError {
    let topic: String
    let cause: any Error

    var logDescription: String {
        "expected a value of the topic \"\(topic)\" that can be encoded, got \(LogValue.text(of: cause))"
    }
}

/// A turn that sends a value in response to a value, again and again.
private struct EndlessPublications: LoggableError {
    let topic: String
    let limit: Int

    var logDescription: String {
        "a value of the topic \"\(topic)\" is the last of more than \(limit) in a row, each sent in response to the one before "
            + "(sessions.turnsInARow)"
    }
}
