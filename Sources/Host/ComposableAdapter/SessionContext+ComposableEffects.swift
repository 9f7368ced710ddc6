public import CombineCore
public import ComposableArchitecture
public import MachineHost

// Declares effects and timers for stores of the Composable Architecture.
extension SessionContext {
    /// Declares an effect of a store, whose answer becomes an action. See the form for publishers.
    ///
    /// The effects of a store consist of closures, which a restored store does not have. So the action is declared with the
    /// effect: a restored store receives it, although no reducer has returned the effect there. A cancellation id of the
    /// effect still cancels it there, if it is a type or a value with a description of its own.
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
        let host = UnownedEffects(self)
        let answer = effect(
            name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit, { ask($0).eraseToAnyPublisher() }
        ) { question, answer, names in
            host.run(Effect.declared { _ in answer.catchToEffect { embed(action(question, $0)) } }, names)
        }
        return { question in
            Effect.declared { names in answer(question, names).catchToEffect { action(question, $0) } }
        }
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
        effect(name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit, asking(ask), action: action)
    }

    /// Declares a timer of a store that repeats, and whose shots become actions. A restored store receives them, although no
    /// reducer has returned the effect there.
    ///
    /// - Parameters:
    ///   - name: The name under which the timer is found again. Unique among the machine's effects and timers.
    ///   - interval: The time between two shots.
    ///   - embed: Returns the action of the root store for an action of the feature.
    ///   - action: Returns the action of a shot.
    /// - Returns: The function for the feature's environment.
    public func timer<Action, RootAction>(
        _ name: String, every interval: Duration, in embed: @escaping (Action) -> RootAction,
        action: @escaping () -> Action
    ) -> () -> EffectTask<Action> {
        timer(name, each: interval, isRepeating: true, embed, action)
    }

    /// Declares a timer of the root feature of a store that repeats, and whose shots become actions.
    ///
    /// - Returns: The function for the feature's environment.
    public func timer<Action>(
        _ name: String, every interval: Duration, action: @escaping () -> Action
    ) -> () -> EffectTask<Action> {
        timer(name, each: interval, isRepeating: true, { $0 }, action)
    }

    /// Declares a timer of a store that fires once for each effect, with an action. See the form that repeats.
    ///
    /// - Returns: The function for the feature's environment.
    public func timer<Action, RootAction>(
        _ name: String, after delay: Duration, in embed: @escaping (Action) -> RootAction,
        action: @escaping () -> Action
    ) -> () -> EffectTask<Action> {
        timer(name, each: delay, isRepeating: false, embed, action)
    }

    /// Declares a timer of the root feature of a store that fires once for each effect, with an action.
    ///
    /// - Returns: The function for the feature's environment.
    public func timer<Action>(
        _ name: String, after delay: Duration, action: @escaping () -> Action
    ) -> () -> EffectTask<Action> {
        timer(name, each: delay, isRepeating: false, { $0 }, action)
    }

    private func timer<Action, RootAction>(
        _ name: String, each delay: Duration, isRepeating: Bool, _ embed: @escaping (Action) -> RootAction,
        _ action: @escaping () -> Action
    ) -> () -> EffectTask<Action> {
        let host = UnownedEffects(self)
        let shots = timer(name, each: delay, isRepeating: isRepeating) { shots, names in
            host.run(Effect.declared { _ in shots.map { embed(action()) } }, names)
        }
        return { Effect.declared { names in shots(names).map { action() } } }
    }
}

/// The effects of a session, for closures that the session retains.
struct UnownedEffects {
    // Unowned: the closures belong to the effects themselves.
    private unowned let effects: SessionEffects

    init(_ context: SessionContext) {
        effects = context.effects
    }

    /// Runs an effect that no reducer has returned.
    func run<Action>(_ effect: EffectTask<Action>, _ cancellationNames: [String]) {
        effects.run(effect, cancellationNames)
    }
}
