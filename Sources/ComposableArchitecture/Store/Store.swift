import CombineCore

/// What runs a feature: it holds the state, has a reducer change it when actions come, and runs the effects.
///
/// Views do not talk to a store but to a ``ViewStore`` of it. A store is confined to one thread or session: whoever sends
/// has to be there, and effects have to come back there (`receive(on:)`; effects that are tasks come back by themselves).
///
/// Actions that are sent while one is being worked off wait for their turn, so that every reducer sees the state that
/// the one before it left. When a root store goes, so do its running effects.
public final class Store<State, Action> {
    /// The state, published before it is stored, once for each action.
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

        /// Takes the effect out of its group, so that whoever waits for the group does not wait for this effect.
        func leave() {
            group.remove(number)
            group.release()
        }
    }

    /// The effects that are running, by number.
    var effectCancellables: [Int: RunningEffect] = [:]

    /// A store that stands alone has a reducer and a home for its effects; one that was scoped has a parent.
    private enum Kind {
        case root((inout State, Action) -> Effect<Action, Never>)
        case scoped((Action, _ isRefusable: Bool) -> Forwarded<State>, endEffects: () -> Void)
    }

    private let kind: Kind
    /// Where the effects of this store, or of the one at its root, belong.
    let home: EffectHome
    private var buffer = Queue<(action: Action, group: EffectGroup)>()
    private var isSending = false
    private var lastEffect = 0
    /// Keeps a scoped store in step with its parent.
    var parentCancellable: AnyCancellable?

    init(
        initialState: State, home: EffectHome,
        reduce: @escaping (inout State, Action) -> Effect<Action, Never>
    ) {
        state = initialState
        self.home = home
        kind = .root(reduce)
    }

    /// Makes a store that passes actions on to a parent.
    init<ParentState, ParentAction>(
        initialState: State, parent: Store<ParentState, ParentAction>,
        forward: @escaping (Action, _ isRefusable: Bool) -> Forwarded<State>
    ) {
        state = initialState
        home = parent.home
        kind = .scoped(forward) { parent.endEffects() }
    }

    /// Makes a root store.
    ///
    /// - Parameters:
    ///   - initialState: The state to start with.
    ///   - reducer: What changes the state.
    ///   - environment: What the reducer depends on; kept as it is now.
    public convenience init<Environment>(
        initialState: State, reducer: Reducer<State, Action, Environment>, environment: Environment
    ) {
        self.init(initialState: initialState, home: .forStore(dependencies: nil)) { state, action in
            reducer.run(&state, action, environment)
        }
    }

    deinit {
        for effect in effectCancellables.values { effect.cancel() }
    }

    /// Works `action` off, or keeps it until those before it have been.
    ///
    /// - Returns: The effects that it starts, and those that their actions start.
    @discardableResult
    func send(_ action: Action) -> StoreTask {
        send(action, from: nil)
    }

    /// - Parameter group: What the effect belongs to from which the action comes.
    @discardableResult
    func send(_ action: Action, from group: EffectGroup?) -> StoreTask {
        dispatch(action, from: group).task
    }

    /// Works `action` off or keeps it, and says which.
    ///
    /// - Parameter isRefusable: Whether an action that needs state that does not exist is undone, as if it had not been sent.
    ///   (One that has to wait for others is reported instead.)
    func dispatch(_ action: Action, from group: EffectGroup? = nil, isRefusable: Bool = false) -> Dispatched {
        switch kind {
        case .scoped(let forward, _):
            let forwarded = forward(action, isRefusable)
            if let newState = forwarded.state { state = newState }
            return Dispatched(task: forwarded.task, isDone: forwarded.state != nil, missing: forwarded.missing)
        case .root(let reduce):
            guard isSending else {
                var missing: MissingState?
                let task = home.run { drain(action, group, reduce, isRefusable, &missing) }
                return Dispatched(task: task, isDone: missing == nil, missing: missing)
            }
            let group = group ?? EffectGroup(home: home)
            group.hold()
            buffer.append((action, group))
            return Dispatched(task: StoreTask(group: group), isDone: false)
        }
    }

    /// Takes over a new state of the parent.
    func follow(_ newState: State) {
        state = newState
    }

    /// Cancels everything that runs in the root store. Actions that are sent later start effects as ever.
    package func endEffects() {
        if case .scoped(_, let end) = kind { return end() }
        for number in effectCancellables.keys.sorted() { effectCancellables.removeValue(forKey: number)?.cancel() }
    }

    private func drain(
        _ first: Action, _ origin: EffectGroup?, _ reduce: (inout State, Action) -> Effect<Action, Never>,
        _ isRefusable: Bool, _ missing: inout MissingState?
    ) -> StoreTask {
        isSending = true
        var group = origin
        if isRefusable {
            missing = workRefusably(first, &group, reduce)
        } else {
            work(first, &group, reduce)
        }
        let task = StoreTask(group: group)
        while let next = buffer.removeFirst() {
            group = next.group
            work(next.action, &group, reduce)
            next.group.release()
        }
        isSending = false
        return task
    }

    private func work(
        _ action: Action, _ group: inout EffectGroup?, _ reduce: (inout State, Action) -> Effect<Action, Never>
    ) {
        var newState = state
        let effect = reduce(&newState, action)
        state = newState
        start(effect, &group)
    }

    /// Works an action off unless it needs state that does not exist: then nothing is stored and no effect starts.
    private func workRefusably(
        _ action: Action, _ group: inout EffectGroup?, _ reduce: (inout State, Action) -> Effect<Action, Never>
    ) -> MissingState? {
        var newState = state
        var effect = Effect<Action, Never>.none
        if let missing = home.reduceRefusably({ effect = reduce(&newState, action) }) { return missing }
        state = newState
        start(effect, &group)
        return nil
    }

    private func start(_ effect: Effect<Action, Never>, _ group: inout EffectGroup?) {
        switch effect.work {
        case .none: return
        case .value(let action):
            let group = effectGroup(&group)
            group.hold()
            buffer.append((action, group))
        case .publisher(let publisher): start(publisher, effectGroup(&group))
        }
    }

    /// Runs an effect. It may complete, and send any number of actions, before this returns.
    private func start(_ publisher: AnyPublisher<Action, Never>, _ group: EffectGroup) {
        lastEffect += 1
        let number = lastEffect
        group.hold()
        var hasCompleted = false
        let running = publisher.sink(
            receiveCompletion: { [weak self] _ in
                hasCompleted = true
                self?.forget(number)
            },
            receiveValue: { [weak self] action in self?.send(action, from: group) })
        guard !hasCompleted else { return group.release() }
        effectCancellables[number] = RunningEffect(cancellable: running, group: group, number: number)
        group.add(number: number) { [weak self] in
            running.cancel()
            self?.forget(number)
        }
    }

    /// Releases an effect that has ended. Does nothing if the effect has not been kept, or has been released already.
    private func forget(_ number: Int) {
        guard let running = effectCancellables.removeValue(forKey: number) else { return }
        running.leave()
    }

    private func effectGroup(_ group: inout EffectGroup?) -> EffectGroup {
        if let group { return group }
        let made = EffectGroup(home: home)
        group = made
        return made
    }
}

/// What came of an action that was sent.
struct Dispatched {
    let task: StoreTask
    /// Whether it has been worked off; otherwise it waits for those before it, or was refused.
    let isDone: Bool
    /// The state that it was refused for want of.
    var missing: MissingState?
}

/// What came of an action that a scoped store passed on.
struct Forwarded<State> {
    /// The new state; nil if the parent has not worked the action off yet, or has refused it.
    let state: State?
    let task: StoreTask
    /// The state that it was refused for want of.
    let missing: MissingState?
}

/// A store of the state and the actions of a reducer type.
public typealias StoreOf<R: ReducerProtocol> = Store<R.State, R.Action>
