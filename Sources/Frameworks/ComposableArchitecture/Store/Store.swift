import CombineCore
import Locking
import Observation
import StateCapture

/// The runtime of a feature: holds the state, runs the reducer for each action, and runs the effects.
///
/// Views use a ``ViewStore`` of the store, or ``send(_:)`` and ``withState(_:)``. A store is confined to one thread or session: actions must be sent there,
/// and effects must deliver there (`receive(on:)`; effects that are tasks do so by themselves).
///
/// Actions that are sent while another one is being processed are buffered, so that each reducer sees the state after
/// the action before. When a root store is deallocated, its running effects are cancelled.
///
/// A store of an ``ObservableState`` has the members of the state: `store.count`. Reading one in ``observe(_:)`` observes it.
@dynamicMemberLookup
public final class Store<State, Action> {
    /// The state. Published before it is stored, once for an action and those that its effects send at once.
    @Published private(set) var state: State

    /// An effect that has not completed.
    struct RunningEffect {
        let cancellable: AnyCancellable
        let group: EffectGroup
        let number: Int

        func cancel() {
            cancellable.cancel()
            leave()
        }

        /// Removes the effect from its group, so that callers that wait for the group do not wait for this effect.
        func leave() {
            group.remove(number)
            group.release()
        }
    }

    /// The running effects, by number.
    var effectCancellables: [Int: RunningEffect] = [:]

    /// A root store has a reducer and a scope for its effects; a scoped store has a parent.
    private enum Kind {
        case root((inout State, Action) -> Effect<Action, Never>)
        case scoped((Action, _ isRefusable: Bool) -> Dispatched, endEffects: () -> Void)
    }

    private let kind: Kind
    let effectScope: EffectScope
    private var buffer = Queue<(action: Action, group: EffectGroup)>()
    private var isSending = false
    private var lastEffect = 0
    /// The running effects as a part of the session's state; nil if the session is not captured.
    private var runningEffects: RunningEffects?
    /// The observation of the state; nil if the state is not observable.
    let observation = StateObservation<State>.make()
    /// The subscription to changes of shared values in the session.
    private var sharedObservation: AnyCancellable?
    /// The subscription of a scoped store to its parent's state.
    var parentCancellable: AnyCancellable?

    init(
        initialState: State, effectScope: EffectScope,
        reduce: @escaping (inout State, Action) -> Effect<Action, Never>
    ) {
        var initialState = initialState
        observation?.record(&initialState)
        // The members of the state are what is captured.
        _state = Published(uncaptured: initialState)
        self.effectScope = effectScope
        kind = .root(reduce)
        sharedObservation = effectScope.sessionStorage?.observe { [weak self] in self?.sharedValueDidChange() }
        if let registry = StateRegistry.current { register(with: registry) }
    }

    /// Creates a store that forwards actions to a parent.
    init<ParentState, ParentAction>(
        initialState: State, parent: Store<ParentState, ParentAction>,
        action toParentAction: @escaping (Action) -> ParentAction
    ) {
        _state = Published(uncaptured: initialState)
        effectScope = parent.effectScope
        kind = .scoped {
            parent.dispatch(toParentAction($0), isRefusable: $1)
        } endEffects: {
            parent.endEffects()
        }
    }

    /// Creates a root store.
    ///
    /// - Parameters:
    ///   - initialState: The initial state.
    ///   - reducer: The reducer that handles the actions.
    ///   - environment: The dependencies of the reducer.
    public convenience init<Environment>(
        initialState: State, reducer: Reducer<State, Action, Environment>, environment: Environment
    ) {
        self.init(initialState: initialState, effectScope: .forStore(dependencies: nil)) { state, action in
            reducer.run(&state, action, environment)
        }
    }

    /// Captures the state, which replaces the initial one if the session is restored.
    private func register(with registry: StateRegistry) {
        registry.registerMembers(of: State.self, named: "state") { [self] body in
            var copy = state
            try body(&copy)
            // In silence: subscribers of a restored store have seen this state.
            _state.restoreHeld(StoredValue(copy))
        }
        let effects = RunningEffects(effectScope) { [weak self] in self?.effectCancellables.count ?? 0 }
        registry.register(effects)
        runningEffects = effects
    }

    /// Publishes the state again, because a shared value in it has changed outside of a reducer. Called on any thread.
    private func sharedValueDidChange() {
        guard MainContext.isSubstituted else {
            return effectScope.deliver { [weak self] in self?.sharedValueDidChange() }
        }
        observation?.recordSharedChange()
        // The reducer that is running publishes its state.
        if !isSending { adopt(state) }
    }

    deinit {
        for effect in effectCancellables.values { effect.cancel() }
    }

    /// Processes `action`, or buffers it while another one is being processed.
    ///
    /// - Returns: The effects that the action starts, directly or through other actions.
    @discardableResult
    public func send(_ action: Action) -> StoreTask {
        send(action, from: nil)
    }

    /// - Parameter group: The group of the effect that sends the action.
    @discardableResult
    func send(_ action: Action, from group: EffectGroup?) -> StoreTask {
        dispatch(action, from: group).task
    }

    /// Processes or buffers `action`, and reports which.
    ///
    /// - Parameter isRefusable: Whether an action that needs state that does not exist is rejected without a trace. A
    ///   buffered action is never rejected; its issue is reported instead.
    func dispatch(_ action: Action, from group: EffectGroup? = nil, isRefusable: Bool = false) -> Dispatched {
        switch kind {
        case .scoped(let forward, _):
            return forward(action, isRefusable)
        case .root(let reduce):
            // An action that the factory sends was sent when the session was created. Its effects must not run again.
            if StateRegistry.isRestoring { return Dispatched(task: StoreTask(group: nil)) }
            guard isSending else {
                var missing: MissingState?
                let task = effectScope.run { drain(action, group, reduce, isRefusable, &missing) }
                return Dispatched(task: task, missing: missing)
            }
            let group = group ?? EffectGroup(scope: effectScope)
            group.hold()
            buffer.append((action, group))
            return Dispatched(task: StoreTask(group: group))
        }
    }

    /// Adopts a new state of the parent.
    func follow(_ newState: State) {
        adopt(newState)
    }

    /// Stores a state and notifies the observers of the store if it replaces another one as a whole.
    private func adopt(_ newState: State) {
        guard let observation, observation.isReplaced(state, by: newState) else {
            state = newState
            return
        }
        observation.registrar.withMutation(of: self, keyPath: \.observedState) { state = newState }
    }

    /// Whether the store has a reducer of its own.
    var isRoot: Bool {
        if case .root = kind { true } else { false }
    }

    /// Cancels all effects of the root store. Actions that are sent later can start effects again.
    package func endEffects() {
        if case .scoped(_, let end) = kind { return end() }
        for number in effectCancellables.keys.sorted() { effectCancellables.removeValue(forKey: number)?.cancel() }
    }

    /// Processes an action and those that are sent meanwhile.
    private func drain(
        _ first: Action, _ origin: EffectGroup?, _ reduce: (inout State, Action) -> Effect<Action, Never>,
        _ isRefusable: Bool, _ missing: inout MissingState?
    ) -> StoreTask {
        // Set before the reducer runs: an action that the reducer or an effect sends meanwhile is buffered. Running it
        // here, inside the exclusive access to the state, would lose one of the two changes.
        isSending = true
        defer { isSending = false }
        // A copy, so that subscribers see one change, and neither each assignment of the reducer nor each action.
        var newState = state
        var group = origin
        var effect = Effect<Action, Never>.none
        if isRefusable {
            missing = effectScope.reduceRefusably { effect = reduce(&newState, first) }
            // A refused action has no effect and changes nothing.
            if missing != nil {
                if buffer.isEmpty { return StoreTask(group: group) }
                newState = state
            }
        } else {
            effect = reduce(&newState, first)
        }
        if missing == nil { start(effect, &group) }
        // Before the loop, which reuses `group` for the buffered actions.
        let task = StoreTask(group: group)
        repeat {
            while let next = buffer.removeFirst() {
                group = next.group
                start(reduce(&newState, next.action), &group)
                next.group.release()
            }
            observation?.record(&newState)
            adopt(newState)
            // Subscribers may have sent more.
        } while !buffer.isEmpty
        return task
    }

    /// Runs an effect of a root store outside of a reducer.
    func start(_ effect: Effect<Action, Never>) {
        if case .none = effect.work { return }
        effectScope.run { start(effect.upstream, EffectGroup(scope: effectScope)) }
    }

    private func start(_ effect: Effect<Action, Never>, _ group: inout EffectGroup?) {
        switch effect.work {
        case .none: return
        case .value(let action):
            let group = effectGroup(&group)
            group.hold()
            buffer.append((action, group))
        case .publisher(let publisher): start(publisher, effectGroup(&group))
        case .presenting(let dismissals, let effect):
            for dismissal in dismissals {
                effectScope.table.withLock { table in
                    table.addDismissal(of: dismissal.child) { [weak self] in self?.send(dismissal.action) }
                }
            }
            start(effect, &group)
        }
    }

    /// Runs an effect. It may complete and send any number of actions before this method returns.
    private func start(_ publisher: AnyPublisher<Action, Never>, _ group: EffectGroup) {
        lastEffect += 1
        let number = lastEffect
        group.hold()
        var hasCompleted = false
        func run() -> AnyCancellable {
            publisher.sink(
                receiveCompletion: { [weak self] _ in
                    hasCompleted = true
                    self?.forget(number)
                },
                receiveValue: { [weak self] action in self?.receive(action, from: group) })
        }
        // The operators of an effect that the factory starts are not part of the machine: a restore does not start it.
        let running = StateRegistry.current == nil ? run() : StateRegistry.withoutRegistry { run() }
        // An effect that completed synchronously must not be stored: its completion has passed, so nothing would remove
        // it.
        guard !hasCompleted else { return group.release() }
        effectCancellables[number] = RunningEffect(cancellable: running, group: group, number: number)
        group.add(number: number) { [weak self] in
            running.cancel()
            self?.forget(number)
        }
    }

    /// Processes an action that an effect has sent, where the store is confined.
    private func receive(_ action: Action, from group: EffectGroup) {
        guard effectScope.takesActions(whileSending: isSending) else {
            return effectScope.deliver { [weak self] in self?.send(action, from: group) }
        }
        send(action, from: group)
    }

    /// Releases an effect that has ended. Does nothing if the effect was never stored or was released before.
    private func forget(_ number: Int) {
        guard let running = effectCancellables.removeValue(forKey: number) else { return }
        running.leave()
    }

    private func effectGroup(_ group: inout EffectGroup?) -> EffectGroup {
        if let group { return group }
        let made = EffectGroup(scope: effectScope)
        group = made
        return made
    }
}

/// The result of sending an action.
struct Dispatched {
    let task: StoreTask
    /// The missing state because of which the action was rejected.
    var missing: MissingState?
}

/// A store of the state and the actions of a reducer type.
public typealias StoreOf<R: ReducerProtocol> = Store<R.State, R.Action>
