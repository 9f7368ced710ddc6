import CombineCore
public import ComposableArchitecture
public import MachineHost

// Topics for stores of the Composable Architecture.
extension SessionContext {
    /// Returns a function whose effect publishes a value to a topic, and has the store receive an action for each value of it, as long as
    /// its session lives. See the form for publishers.
    ///
    /// The store subscribes here and not by an effect, so that a restored store receives the values, too.
    ///
    /// ```swift
    /// let post = context.topic("chat", of: Message.self) { Chat.Action.received($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the topic.
    ///   - type: The type of the values.
    ///   - rule: What happens to values for which a session has no time, and whether the topic has a current value.
    ///   - action: Returns the action of the root store for a value.
    /// - Returns: The function for the feature's environment.
    public func topic<Value: Codable, RootAction, Action>(
        _ name: String, of type: Value.Type = Value.self, delivering rule: TopicRule = .dropOldest,
        action: @escaping (Value) -> RootAction
    ) -> (Value) -> EffectTask<Action> {
        let topic = topic(name, of: type, delivering: rule)
        pass(topic, action)
        return { value in .fireAndForget { topic.send(value) } }
    }

    /// Returns a function whose effect adds the session to the list of those that follow a topic, and has the store receive an action for
    /// each change of the list. See the form for publishers.
    ///
    /// - Parameters:
    ///   - topic: The name of the topic.
    ///   - type: The type of what each session states of itself.
    ///   - action: Returns the action of the root store for the list.
    /// - Returns: The function for the feature's environment; with nil, its effect removes the session from the list.
    public func presence<Member: Codable, RootAction, Action>(
        in topic: String, of type: Member.Type = Member.self, action: @escaping (Members<Member>) -> RootAction
    ) -> (Member?) -> EffectTask<Action> {
        let presence = presence(in: topic, of: type)
        pass(presence, action)
        return { member in
            .fireAndForget { if let member { presence.enter(member) } else { presence.leave() } }
        }
    }

    private func pass<Source: Publisher, RootAction>(
        _ source: Source, _ action: @escaping (Source.Output) -> RootAction
    ) where Source.Failure == Never {
        let host = UnownedEffects(self)
        // The topics of the session retain the subscriber until it ends.
        source.subscribe(
            Subscribers.Sink(
                receiveCompletion: { _ in },
                receiveValue: { host.run(EffectTask<RootAction>(value: action($0)), []) }))
    }
}
