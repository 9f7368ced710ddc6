import CombineCore
import Locking

/// The store behind a ``TestStore``, with a record of what it observed.
///
/// It is a real store: actions of effects change the state on arrival, in the order of a live store. The resulting
/// states are kept until the test receives the actions.
final class TestCore<State, Action, Environment> {
    /// An action that an effect sent.
    struct Received {
        let action: Action
        let result: Result

        enum Result {
            /// The state after the action was handled on arrival.
            case reduced(State, [SharedChange])
            /// The action will be handled when the test receives it. The location is that of the step that started the
            /// effect.
            case waiting(StaticString, UInt)
        }
    }

    /// An effect that has not completed.
    struct Running {
        let action: Action
        let file: StaticString
        let line: UInt
    }

    /// The origin of an action, with the location of the step that caused it.
    private enum Origin {
        case test(StaticString, UInt)
        case effect(StaticString, UInt)
        /// An effect's action that the test receives now.
        case reception(StaticString, UInt)
    }

    var environment: Environment
    /// The state after the steps that the test has taken. The store's own state can be ahead of it.
    var state: State
    var received: [Received] = []
    var reduction = ReceivedActionReduction.onArrival
    let actionQueue = TestActionQueue()
    /// The changes of shared values that the test has not stated yet.
    private var sharedChanges: [SharedChange] = []
    /// Records whether the feature under test, which no parent presents, has dismissed itself.
    let dismissal: TestDismissal
    private let running = Lock<[Int: Running]>([:])
    private let reducer: (inout State, Action, Environment) -> Effect<Action, Never>
    private let scope: EffectScope
    private var store: Store<State, (Action, Origin)>?
    private var lastEffect = 0

    init(
        initialState: State, environment: Environment, dependencies: DependencyValues, dismissal: TestDismissal,
        reducer: @escaping (inout State, Action, Environment) -> Effect<Action, Never>
    ) {
        state = initialState
        self.environment = environment
        self.dismissal = dismissal
        self.reducer = reducer
        scope = EffectScope(delivery: .test(actionQueue), dependencies: dependencies)
        store = Store(initialState: initialState, effectScope: scope) { [weak self] in
            self?.reduce(&$0, $1.0, $1.1) ?? .none
        }
    }

    /// The dependencies of the reducer and its effects.
    var dependencies: DependencyValues {
        get { scope.dependencies.withLock { $0 } ?? .current }
        set { scope.dependencies.withLock { $0 = newValue } }
    }

    /// The running effects, in the order in which they were started.
    var runningEffects: [Running] {
        running.withLock { running in running.sorted { $0.key < $1.key }.map(\.value) }
    }

    func send(_ action: Action, file: StaticString, line: UInt) -> StoreTask {
        store?.send((action, .test(file, line))) ?? StoreTask(group: nil)
    }

    /// Removes the oldest received action and applies its result to ``state``.
    func receiveNext() -> Received? {
        guard !received.isEmpty else { return nil }
        let next = received.removeFirst()
        switch next.result {
        case .reduced(let state, let changes):
            self.state = state
            sharedChanges += changes
        case .waiting(let file, let line): store?.send((next.action, .reception(file, line)))
        }
        return next
    }

    func receiveNext(_ count: Int) {
        for _ in 0..<count { _ = receiveNext() }
    }

    /// The changes of shared values by actions that the test has not received yet.
    var laterSharedChanges: [SharedChange] {
        received.flatMap { received in
            if case .reduced(_, let changes) = received.result { return changes }
            return []
        }
    }

    /// Returns the changes of shared values since the last call, one for each value.
    func takeSharedChanges() -> [SharedChange] {
        // A value that an effect changes after such an action did has to wait for the step that receives the action.
        let later = laterSharedChanges.map(\.root)
        let changes = sharedChanges + (scope.sharedChanges?.take(except: later) ?? [])
        sharedChanges = []
        var merged: [SharedChange] = []
        for change in changes {
            if let index = merged.firstIndex(where: { $0.root === change.root }) {
                merged[index].after = change.after
            } else {
                merged.append(change)
            }
        }
        return merged
    }

    func cancelEffects() {
        store?.endEffects()
        forgetEffects()
    }

    /// Cancels all running effects if the feature has dismissed itself.
    func endDismissedEffects() {
        if dismissal.isDone { cancelEffects() }
    }

    /// Stops tracking the running effects.
    func forgetEffects() {
        running.withLock { $0 = [:] }
    }

    private func reduce(
        _ state: inout State, _ action: Action, _ origin: Origin
    ) -> Effect<(Action, Origin), Never> {
        if case .effect(let file, let line) = origin, reduction == .onReceive {
            received.append(Received(action: action, result: .waiting(file, line)))
            return .none
        }
        let effect = reducer(&state, action, environment)
        let (file, line): (StaticString, UInt)
        switch origin {
        case .test(let sentFrom, let sentAt), .reception(let sentFrom, let sentAt):
            self.state = state
            // Not those of the actions that its effects send at once.
            sharedChanges += scope.sharedChanges?.take() ?? []
            (file, line) = (sentFrom, sentAt)
        case .effect(let sentFrom, let sentAt):
            received.append(Received(action: action, result: .reduced(state, scope.sharedChanges?.take() ?? [])))
            (file, line) = (sentFrom, sentAt)
        }
        return tracked(effect, of: Running(action: action, file: file, line: line))
            .map { ($0, .effect(file, line)) }
    }

    private func tracked(_ effect: Effect<Action, Never>, of origin: Running) -> Effect<Action, Never> {
        effect.transformingWork { effect in
            guard case .publisher(let publisher) = effect.work else { return effect }
            lastEffect += 1
            let number = lastEffect
            running.withLock { $0[number] = origin }
            return .attached { [running, actionQueue] downstream, scope in
                // The link sees both the completion and the cancellation of the effect; a `handleEvents` would need both
                // cases.
                let link = CancellableLink(downstream) {
                    running.withLock { $0[number] = nil }
                    actionQueue.wake()
                }
                downstream.receive(subscription: link)
                scope.run { publisher.receive(subscriber: link) }
            }
        }
    }
}

/// A record of whether the feature under test has dismissed itself.
final class TestDismissal: Sendable {
    private let state = Lock(false)

    var isDone: Bool { state.withLock { $0 } }

    /// Returns dependencies for a test, in which the feature can dismiss itself.
    func dependencies() -> DependencyValues {
        var dependencies = DependencyValues.current.forStore()
        dependencies.context = .test
        dependencies.dismiss = DismissEffect { [state] in state.withLock { $0 = true } }
        dependencies.separateStorage()
        return dependencies
    }
}
