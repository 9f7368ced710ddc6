public import CombineCore
import StateCapture

/// Who follows a topic, by what each session states of itself: a publisher of the list.
///
/// Create it with `context.presence(in:of:)`. A session is in the list from its ``enter(_:)`` on, while it has a stream: when its last client
/// has left, so has it. The list is a topic of its own. Changes that follow each other arrive as one.
public struct Presence<Member: Codable>: Publisher {
    /// The members.
    public typealias Output = Members<Member>
    /// The list never ends.
    public typealias Failure = Never

    let list: Topic<Members<Member>>
    let membership: Membership

    /// Adds the session to the list, or replaces what it states, when the turn in progress is stored. The statement is a part of the
    /// session's state, so that a restored session is in the list again. Callable from any thread.
    public func enter(_ member: Member) { list.topics.state(member, in: membership) }

    /// Removes the session from the list. Callable from any thread.
    public func leave() { list.topics.state(Member?.none, in: membership) }

    /// Attaches a subscriber to the list.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Members<Member>, Downstream.Failure == Never {
        list.receive(subscriber: subscriber)
    }
}

/// The members of a topic.
public struct Members<Member: Codable>: Codable {
    /// The number of members.
    public let count: Int
    /// What the members state, in the order in which they came: as many of the first ones as ``TopicLimits/valueBytes`` has room for.
    public let members: [Member]
}

extension Members: Equatable where Member: Equatable {}
extension Members: Sendable where Member: Sendable {}

/// What a session states as a member of a topic. Confined to the session's loop.
final class Membership: StatefulPart {
    struct PartState: Codable {
        /// The statement as JSON; nil if the session is no member.
        var member: String?
    }

    static var partName: StaticString { "membership" }

    /// The topic of the list.
    let topic: String
    /// The statement as JSON; nil if the session is no member.
    var statement: [UInt8]?
    /// The statement of the last turn that is stored.
    var published: [UInt8]?
    private let isStatement: ([UInt8]) -> Bool

    /// - Parameter isStatement: Returns whether JSON is a statement of the machine.
    init(of topic: String, _ isStatement: @escaping ([UInt8]) -> Bool) {
        self.topic = topic
        self.isStatement = isStatement
    }

    var partState: PartState? { PartState(member: statement.map { String(decoding: $0, as: UTF8.self) }) }

    func restore(_ state: PartState?) {
        // One that another build or an import has stored may be of another type, and would make the list unreadable for all.
        statement = state?.member.map { Array($0.utf8) }.flatMap { isStatement($0) ? $0 : nil }
        published = statement
    }
}
