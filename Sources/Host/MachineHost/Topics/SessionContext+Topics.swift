public import CombineCore
import StateCapture

extension SessionContext {
    /// Returns a topic of the server, by which the machines of all sessions with this topic communicate: a publisher of the values that they
    /// send.
    ///
    /// ```swift
    /// extra: .init(orders: context.topic("orders", of: Order.self))
    /// ```
    ///
    /// The values of a sender arrive in the order in which it has sent them, each at most once, and only at sessions in memory. A session
    /// that subscribes stays in memory until it ends. Clients can neither name topics nor see their values: the machine decides what
    /// it sends and shows, to sessions of other principals, too.
    ///
    /// - Parameters:
    ///   - name: The name, of up to 200 bytes. Those that begin with `members:` are the lists of ``presence(in:of:)``.
    ///   - type: The type of the values, which all machines with the topic share. Others are dropped.
    ///   - rule: What happens to values for which a session has no time, and whether the topic has a current value. The same in all
    ///     machines with the topic.
    public func topic<Value: Codable>(
        _ name: String, of type: Value.Type = Value.self, delivering rule: TopicRule = .dropOldest
    ) -> Topic<Value> {
        Topic(name: name, rule: rule, topics: topics)
    }

    /// Returns the list of the sessions that follow a topic, to which this one can add itself. The topic need not exist otherwise.
    ///
    /// - Parameters:
    ///   - topic: The name of the topic.
    ///   - type: The type of what each session states of itself, for all others to see.
    public func presence<Member: Codable>(in topic: String, of type: Member.Type = Member.self) -> Presence<Member> {
        let list = SessionTopics.members(of: topic)
        return Presence(
            list: self.topic(list, delivering: .latest),
            membership: topics.membership(of: list) ?? makeMembership(of: list, type))
    }

    private func makeMembership<Member: Codable>(of list: String, _ type: Member.Type) -> Membership {
        let membership = Membership(of: list) { (try? EffectJSON.decode(type, from: $0[...])) != nil }
        topics.add(membership)
        StateRegistry.current?.register(membership)
        return membership
    }

    /// Returns the number of streams by which clients follow this session, as a publisher. Each change is a turn.
    public func followers() -> AnyPublisher<Int, Never> {
        topic(SessionTopics.ownMembers, of: Int.self, delivering: .latest).eraseToAnyPublisher()
    }
}
