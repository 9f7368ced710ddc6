public import CombineCore
public import ComposableArchitecture
public import MachineHost

// The forms for stores of the Composable Architecture.
extension SessionContext {
    /// Declares an effect of a store, whose answer becomes an action. See the form for publishers.
    ///
    /// The effects of a store consist of closures, which a restored store does not have. So the action is declared with the
    /// effect: a restored store receives it, although no reducer has returned the effect there. Cancellation by an id
    /// then has no effect on it.
    ///
    /// ```swift
    /// let search = context.effect("search", { gitHub.searchRepositories($0) }) { SearchAction.response($1) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name under which the effect is found again. Unique in the machine; otherwise it cannot be hosted.
    ///   - onCrash: What happens to an effect that was not answered when the process ended.
    ///   - startsBeforeCommit: Whether the question may be asked before the turn is stored.
    ///   - ask: Returns a publisher of the answer.
    ///   - embed: Returns the action of the root store for an action of the feature.
    ///   - action: Returns the action for a question and its answer.
    /// - Returns: The function for the feature's environment.
    public func effect<Question: Codable, Source: Publisher, Action, RootAction>(
        _ name: String, onCrash: CrashReaction<Source.Failure> = .again, startsBeforeCommit: Bool = false,
        _ ask: @escaping (Question) -> Source, in embed: @escaping (Action) -> RootAction,
        action: @escaping (Question, Result<Source.Output, Source.Failure>) -> Action
    ) -> (Question) -> EffectTask<Action> where Source.Output: Codable {
        let effects = UnownedEffects(self)
        let answer = effect(
            name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit, { ask($0).eraseToAnyPublisher() }
        ) { question, answer in
            answer.catchToEffect { action(question, $0) }.sink { effects.receive(embed($0)) }
        }
        return { question in answer(question).catchToEffect { action(question, $0) } }
    }

    /// Declares an effect of the root feature of a store, whose answer becomes an action.
    ///
    /// - Returns: The function for the feature's environment.
    public func effect<Question: Codable, Source: Publisher, Action>(
        _ name: String, onCrash: CrashReaction<Source.Failure> = .again, startsBeforeCommit: Bool = false,
        _ ask: @escaping (Question) -> Source,
        action: @escaping (Question, Result<Source.Output, Source.Failure>) -> Action
    ) -> (Question) -> EffectTask<Action> where Source.Output: Codable {
        effect(name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit, ask, in: { $0 }, action: action)
    }

    /// Declares an effect of a store that an asynchronous function performs, and whose answer becomes an action.
    ///
    /// - Returns: The function for the feature's environment.
    public func effect<Question: Codable, Answer: Codable, Action>(
        _ name: String, onCrash: CrashReaction<any Error> = .again, startsBeforeCommit: Bool = false,
        _ ask: @escaping @Sendable (Question) async throws -> Answer,
        action: @escaping (Question, Result<Answer, any Error>) -> Action
    ) -> (Question) -> EffectTask<Action> {
        effect(
            name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit,
            { SessionContext.publisher(of: ask, $0) }, action: action)
    }
}

/// The receiver of a session's actions, for closures that the session retains.
private struct UnownedEffects {
    // Unowned: the closures belong to the effects themselves.
    private unowned let effects: SessionEffects

    init(_ context: SessionContext) {
        effects = context.effects
    }

    func receive(_ action: Any) {
        effects.receiveAction(action)
    }
}
