public import CombineCore

/// Work that the outside world is to do, and whose results come back to a store as actions.
///
/// A reducer returns effects; the store runs them. An effect is a publisher, so that every operator applies to it; what
/// comes out of an operator is made an effect again by ``CombineCore/Publisher/eraseToEffect()``. Nothing happens before
/// an effect is subscribed, and each subscription does the work anew.
public struct Effect<Output, Failure: Error>: Publisher {
    @usableFromInline
    enum Work {
        case none
        case value(Output)
        case publisher(AnyPublisher<Output, Failure>)
    }

    @usableFromInline let work: Work

    @inlinable
    init(_ work: Work) {
        self.work = work
    }

    /// Makes an effect of a publisher.
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        work = (publisher as? Effect)?.work ?? .publisher(AnyPublisher(publisher))
    }

    /// An effect that delivers `value` at once.
    @inlinable
    public init(value: Output) {
        work = .value(value)
    }

    /// An effect that fails at once.
    public init(error: Failure) {
        self.init(Fail(error: error))
    }

    /// An effect that does nothing and completes at once.
    @inlinable
    public static var none: Effect {
        Effect(.none)
    }

    /// An effect that delivers `action` at once.
    public static func send(_ action: Output) -> Effect {
        Effect(value: action)
    }

    /// An effect that runs a publisher.
    public static func publisher<P: Publisher>(_ publisher: () -> P) -> Effect
    where P.Output == Output, P.Failure == Failure {
        Effect(publisher())
    }

    /// The effect as a publisher without its type.
    public var upstream: AnyPublisher<Output, Failure> {
        switch work {
        case .none: Empty(completeImmediately: true).eraseToAnyPublisher()
        case .value(let value): Just(value).setFailureType(to: Failure.self).eraseToAnyPublisher()
        case .publisher(let publisher): publisher
        }
    }

    /// Attaches `subscriber`, and starts the work.
    public func receive<S: CombineCore.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.receive(subscriber: subscriber)
    }

    /// The same work, with what `transform` makes of each value.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Effect<T, Failure> {
        switch work {
        case .none: Effect<T, Failure>(Effect<T, Failure>.Work.none)
        case .value(let value): Effect<T, Failure>(value: transform(value))
        case .publisher(let publisher): Effect<T, Failure>(publisher.map(transform))
        }
    }

    /// The same work, for whoever wants its end only.
    public func fireAndForget<NewOutput>() -> Effect<NewOutput, Failure> where Output == Never {
        func absurd(_ never: Never) -> NewOutput {}
        return map(absurd)
    }

    @inlinable var isNone: Bool {
        if case .none = work { true } else { false }
    }
}

/// An effect of a store: it cannot fail.
public typealias EffectTask<Action> = Effect<Action, Never>

extension Publisher {
    /// This publisher as an effect.
    public func eraseToEffect() -> Effect<Output, Failure> {
        Effect(self)
    }

    /// This publisher as an effect of what `transform` makes of its values.
    public func eraseToEffect<T>(_ transform: @escaping (Output) -> T) -> Effect<T, Failure> {
        map(transform).eraseToEffect()
    }

    /// This publisher as an effect that cannot fail: it delivers a failure as a result.
    public func catchToEffect() -> Effect<Result<Output, Failure>, Never> {
        map(Result<Output, Failure>.success)
            .catch { Just(Result<Output, Failure>.failure($0)) }
            .eraseToEffect()
    }

    /// This publisher as an effect of what `transform` makes of its values and of its failure.
    public func catchToEffect<T>(_ transform: @escaping (Result<Output, Failure>) -> T) -> Effect<T, Never> {
        catchToEffect().map(transform)
    }

    /// Replaces each value by the values of an effect. Wherever and whenever that effect is subscribed, its ids are those
    /// of the store in whose reducer this call is made.
    public func flatMap<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Effect<T, Failure>
    ) -> Publishers.FlatMap<Effect<T, Failure>, Self> {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: EffectHome.settling(transform))
    }
}

extension Publisher where Failure == Never {
    /// Replaces each value by the values of an effect. Wherever and whenever that effect is subscribed, its ids are those
    /// of the store in whose reducer this call is made.
    public func flatMap<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Effect<T, Never>
    ) -> Publishers.FlatMap<Effect<T, Never>, Self> {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: EffectHome.settling(transform))
    }
}

extension EffectHome {
    /// The same function, whose effects belong to the home that this call is made in, unless they are subscribed in
    /// another one.
    static func settling<Input, Output, Failure: Error>(
        _ transform: @escaping (Input) -> Effect<Output, Failure>
    ) -> (Input) -> Effect<Output, Failure> {
        guard let birthplace = current else { return transform }
        return { value in
            guard current == nil else { return transform(value) }
            return birthplace.run { transform(value) }.settled(in: birthplace)
        }
    }
}

extension Effect {
    /// The same effect, which belongs to `home` wherever it is subscribed.
    func settled(in home: EffectHome) -> Effect {
        guard case .publisher(let publisher) = work else { return self }
        return Effect(Attached { subscriber in home.run { publisher.receive(subscriber: subscriber) } })
    }

    /// An effect whose subscriber is attached by a closure, which is told where the effect belongs.
    static func attached(_ attach: @escaping (AnySubscriber<Output, Failure>, EffectHome) -> Void) -> Effect {
        let birthplace = EffectHome.current
        return Effect(Attached { attach($0, EffectHome.resolve(bornIn: birthplace)) })
    }
}

/// A publisher that is a closure.
struct Attached<Output, Failure: Error>: Publisher {
    let attach: (AnySubscriber<Output, Failure>) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }
}
