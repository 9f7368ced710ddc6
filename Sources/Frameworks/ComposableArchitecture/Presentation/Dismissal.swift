import CombineCore
import Locking

/// The action that dismisses a child.
@usableFromInline
struct Dismissal<Action> {
    let child: ChildID
    let action: Action

    func map<NewAction>(_ transform: (Action) -> NewAction) -> Dismissal<NewAction> {
        Dismissal<NewAction>(child: child, action: transform(action))
    }

    /// Returns an effect that sends the action when the child is dismissed, and that ends with the child.
    func awaited<Failure: Error>() -> Effect<Action, Failure> {
        Effect<Action, Failure>.attached { downstream, scope in
            let channel = EffectChannel<Action, Failure>(downstream)
            downstream.receive(subscription: channel)
            scope.table.withLock { $0.addDismissal(of: child) { channel.send(action) } }
        }
        .cancellable(id: child)
    }
}

extension Effect {
    private var isPresenting: Bool {
        if case .presenting = work { true } else { false }
    }

    /// Returns an effect whose work is transformed, and whose children are dismissed as before.
    func transformingWork(_ transform: (Effect) -> Effect) -> Effect {
        guard case .presenting(let dismissals, let effect) = work else { return transform(self) }
        return Effect(.presenting(dismissals, transform(effect)))
    }

    /// Returns the effect that a function makes of several ones. Their children can be dismissed as soon as it starts.
    @usableFromInline
    static func combining(_ effects: [Effect], _ combine: ([Effect]) -> Effect) -> Effect {
        // The common case, without a copy.
        guard effects.contains(where: \.isPresenting) else { return combine(effects) }
        var dismissals: [Dismissal<Output>] = []
        let work = effects.map { effect in
            guard case .presenting(let found, let rest) = effect.work else { return effect }
            dismissals += found
            return rest
        }
        .filter { !$0.isNone }
        return Effect(.presenting(dismissals, work.count > 1 ? combine(work) : work.first ?? .none))
    }

    @usableFromInline
    func mapPresenting<T>(_ transform: @escaping (Output) -> T) -> Effect<T, Failure> {
        guard case .presenting(let dismissals, let effect) = work else { return .none }
        return Effect<T, Failure>(.presenting(dismissals.map { $0.map(transform) }, effect.map(transform)))
    }
}

extension ChildID {
    /// Runs the reducer of a child that can dismiss itself.
    ///
    /// - Parameters:
    ///   - dismissal: The action that dismisses the child.
    ///   - isEphemeral: Whether any action dismisses the child. Its effects then outlive it.
    ///   - reduce: Runs the reducer.
    func present<Action>(
        dismissal: @autoclosure () -> Action, isEphemeral: Bool = false, _ reduce: () -> EffectTask<Action>
    ) -> EffectTask<Action> {
        let (path, scope) = (path, EffectScope.resolve(createdIn: nil))
        var values = DependencyValues.current
        // Weak, because a task that outlives its store may hold the values.
        values.dismiss = DismissEffect { [weak scope] in await scope?.dismiss(path) }
        values.isPresented = true
        let effect = DependencyValues.$bound.withValue(values) { path.run(reduce) }.bound(to: values)
        if isEphemeral { return effect }
        let work = effect.cancellable(id: self)
        // The store keeps the action, because a task may dismiss the child after the effect that started it has ended.
        if scope.table.withLock({ $0.canDismiss(path) }) { return work }
        let own = Dismissal(child: self, action: dismissal())
        return .merge(Effect(.presenting([own], .none)), work)
    }
}

extension EffectScope {
    /// Sends the action that dismisses the child at a path, unless it has been sent.
    func dismiss(_ path: FeaturePath) async {
        await deliverAndWait { [self] in
            // Removed before it is sent, so that a child that dismisses itself twice sends one action.
            table.withLock { $0.takeDismissal(at: path) }?()
        }
    }
}
