public import CombineCore

extension Effect {
    /// Runs effects one after the other: the next starts when the one before has completed. A failure ends the whole.
    public static func concatenate(_ effects: Effect...) -> Effect {
        concatenate(effects)
    }

    /// Runs effects one after the other: the next starts when the one before has completed. A failure ends the whole.
    public static func concatenate<C: Collection>(_ effects: C) -> Effect where C.Element == Effect {
        let effects = effects.filter { !$0.isNone }
        guard let first = effects.first else { return .none }
        if effects.count == 1 { return first }
        return .attached { downstream, home in
            let chain = EffectChain(effects, downstream, home: home)
            downstream.receive(subscription: chain)
            chain.advance()
        }
    }

    /// Runs effects at the same time, started in their order; it completes when all have.
    @inlinable
    public static func merge(_ effects: Effect...) -> Effect {
        merge(effects)
    }

    /// Runs effects at the same time, started in their order; it completes when all have.
    @inlinable
    public static func merge<S: Sequence>(_ effects: S) -> Effect where S.Element == Effect {
        var running: [Effect] = []
        for effect in effects where !effect.isNone { running.append(effect) }
        guard let first = running.first else { return .none }
        return running.count == 1 ? first : Effect(Publishers.MergeMany(running))
    }

    /// Runs this effect and another at the same time.
    public func merge(with other: Effect) -> Effect {
        .merge(self, other)
    }

    /// Runs this effect, and another one when it has completed.
    public func concatenate(with other: Effect) -> Effect {
        .concatenate(self, other)
    }
}
