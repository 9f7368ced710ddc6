extension Effect {
    /// Gives the effect an id by which it can be cancelled. Several effects may have the same.
    ///
    /// The id is one of the store that runs the effect: the same id in another store means another effect.
    ///
    /// - Parameters:
    ///   - id: Anything that can be compared; a type of one's own without properties will do.
    ///   - cancelInFlight: Whether running effects with this id are cancelled when this one starts.
    public func cancellable(id: AnyHashable, cancelInFlight: Bool = false) -> Effect {
        .attached { downstream, home in
            home.attach(downstream, to: self, id: id, cancelInFlight: cancelInFlight)
        }
    }

    /// Gives the effect a type as its id.
    public func cancellable(id: Any.Type, cancelInFlight: Bool = false) -> Effect {
        cancellable(id: ObjectIdentifier(id), cancelInFlight: cancelInFlight)
    }

    /// An effect that cancels all running effects of the store that have the id. They complete, so that what was chained
    /// to them goes on.
    public static func cancel(id: AnyHashable) -> Effect {
        .attached { downstream, home in
            Effect.fireAndForget { home.cancel(id: id) }.receive(subscriber: downstream)
        }
    }

    /// An effect that cancels all running effects whose id is that type.
    public static func cancel(id: Any.Type) -> Effect {
        cancel(id: ObjectIdentifier(id))
    }

    /// An effect that cancels all running effects that have one of the ids.
    public static func cancel(ids: [AnyHashable]) -> Effect {
        .merge(ids.map { Effect.cancel(id: $0) })
    }
}
