extension Effect {
    /// Returns an effect that can be cancelled by an id. Several effects may share an id.
    ///
    /// Ids are scoped to the root store that runs the effect: the same id in another store identifies other effects. In
    /// a store, an id is that of a feature: a child that `ifLet`, `ifCaseLet` or `forEach` runs does not cancel the
    /// effects of its siblings or its parent, which can cancel those of the child.
    ///
    /// - Parameters:
    ///   - id: Any hashable value; an empty type of your own is enough.
    ///   - cancelInFlight: Whether running effects with this id are cancelled before this one starts.
    public func cancellable(id: AnyHashable, cancelInFlight: Bool = false) -> Effect {
        cancellable(CancellationID(id), cancelInFlight)
    }

    private func cancellable(_ id: CancellationID, _ cancelInFlight: Bool) -> Effect {
        transformingWork { effect in
            // As in the original, an effect that does nothing cancels nothing.
            if effect.isNone { return effect }
            return .attached { downstream, scope in
                scope.attach(downstream, to: effect, id: id, cancelInFlight: cancelInFlight)
            }
        }
    }

    /// Returns an effect that can be cancelled by an id, which is a type.
    public func cancellable(id: Any.Type, cancelInFlight: Bool = false) -> Effect {
        cancellable(CancellationID(id), cancelInFlight)
    }

    /// Returns an effect that cancels the running effects of the store with an id. They complete, so effects that are
    /// concatenated to them start.
    public static func cancel(id: AnyHashable) -> Effect {
        cancel(CancellationID(id))
    }

    private static func cancel(_ id: CancellationID) -> Effect {
        .attached { downstream, scope in
            Effect.fireAndForget { scope.cancel(id) }.receive(subscriber: downstream)
        }
    }

    /// Returns an effect that cancels the running effects of the store whose id is a type.
    public static func cancel(id: Any.Type) -> Effect {
        cancel(CancellationID(id))
    }

    /// Returns an effect that cancels the running effects of the store with any of the ids.
    public static func cancel(ids: [AnyHashable]) -> Effect {
        .merge(ids.map { Effect.cancel(id: $0) })
    }
}
