public import CombineCore

extension Effect {
    /// Returns an effect that runs effects one after another: each starts when the one before it completes. A failure
    /// ends the sequence.
    public static func concatenate(_ effects: Effect...) -> Effect {
        concatenate(effects)
    }

    /// Returns an effect that runs effects one after another: each starts when the one before it completes. A failure
    /// ends the sequence.
    public static func concatenate<C: Collection>(_ effects: C) -> Effect where C.Element == Effect {
        let effects = effects.filter { !$0.isNone }
        guard let first = effects.first else { return .none }
        if effects.count == 1 { return first }
        return .combining(effects) { effects in
            .attached { downstream, scope in
                let chain = EffectChain(effects, downstream, scope: scope)
                downstream.receive(subscription: chain)
                chain.advance()
            }
        }
    }

    /// Returns an effect that runs effects concurrently, started in order. It completes when all have completed.
    @inlinable
    public static func merge(_ effects: Effect...) -> Effect {
        merge(effects)
    }

    /// Returns an effect that runs effects concurrently, started in order. It completes when all have completed.
    @inlinable
    public static func merge<S: Sequence>(_ effects: S) -> Effect where S.Element == Effect {
        var running: [Effect] = []
        for effect in effects where !effect.isNone { running.append(effect) }
        guard let first = running.first else { return .none }
        return running.count == 1 ? first : combining(running) { Effect(Publishers.MergeMany($0)) }
    }

    /// Returns an effect that runs this effect and another concurrently.
    public func merge(with other: Effect) -> Effect {
        .merge(self, other)
    }

    /// Returns an effect that runs this effect, then another.
    public func concatenate(with other: Effect) -> Effect {
        .concatenate(self, other)
    }
}
