public import CombineCore

/// A unit of work outside the reducer that can send actions back to the store.
///
/// A reducer returns effects, and the store runs them. An effect is a publisher, so all operators apply to it;
/// ``CombineCore/Publisher/eraseToEffect()`` turns their result back into an effect. No work starts before the effect
/// is subscribed, and each subscription repeats the work.
public struct Effect<Output, Failure: Error>: Publisher {
    @usableFromInline
    // The first two cases are kept apart from publishers so that the store can handle them without a subscription: most
    // actions have no effect, and many have a single follow-up action.
    enum Work {
        case none
        case value(Output)
        case publisher(AnyPublisher<Output, Failure>)
        /// An effect of a feature that has run children. The store keeps what dismisses them, which is no work.
        indirect case presenting([Dismissal<Output>], Effect)
    }

    @usableFromInline let work: Work

    @inlinable
    init(_ work: Work) {
        self.work = work
    }

    /// Creates an effect from a publisher.
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        work = (publisher as? Effect)?.work ?? .publisher(AnyPublisher(publisher))
    }

    /// Creates an effect that delivers `value` immediately and completes.
    @inlinable
    public init(value: Output) {
        work = .value(value)
    }

    /// Creates an effect that fails immediately.
    public init(error: Failure) {
        self.init(Fail(error: error))
    }

    /// An effect that completes immediately without a value.
    @inlinable
    public static var none: Effect {
        Effect(.none)
    }

    /// Returns an effect that sends `action` immediately.
    public static func send(_ action: Output) -> Effect {
        Effect(value: action)
    }

    /// Returns an effect that runs a publisher.
    public static func publisher<P: Publisher>(_ publisher: () -> P) -> Effect
    where P.Output == Output, P.Failure == Failure {
        Effect(publisher())
    }

    /// The effect as a type-erased publisher.
    public var upstream: AnyPublisher<Output, Failure> {
        switch work {
        case .none: Empty(completeImmediately: true).eraseToAnyPublisher()
        case .value(let value): Just(value).setFailureType(to: Failure.self).eraseToAnyPublisher()
        case .publisher(let publisher): publisher
        case .presenting(let dismissals, let effect):
            Publishers.MergeMany([effect] + dismissals.map { $0.awaited() }).eraseToAnyPublisher()
        }
    }

    /// Attaches `subscriber` and starts the work.
    public func receive<S: CombineCore.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.receive(subscriber: subscriber)
    }

    /// Returns an effect that transforms the values of this one.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Effect<T, Failure> {
        switch work {
        case .none: Effect<T, Failure>(Effect<T, Failure>.Work.none)
        case .value(let value): Effect<T, Failure>(value: transform(value))
        case .publisher(let publisher): Effect<T, Failure>(publisher.map(transform))
        case .presenting: mapPresenting(transform)
        }
    }

    /// Returns this effect, which sends no value, as one with another output type.
    public func fireAndForget<NewOutput>() -> Effect<NewOutput, Failure> where Output == Never {
        func absurd(_ never: Never) -> NewOutput {}
        return map(absurd)
    }

    @inlinable var isNone: Bool {
        if case .none = work { true } else { false }
    }
}

/// An effect that a store can run: it cannot fail.
public typealias EffectTask<Action> = Effect<Action, Never>

extension Publisher {
    /// Returns this publisher as an effect.
    public func eraseToEffect() -> Effect<Output, Failure> {
        Effect(self)
    }

    /// Returns this publisher as an effect with transformed values.
    public func eraseToEffect<T>(_ transform: @escaping (Output) -> T) -> Effect<T, Failure> {
        map(transform).eraseToEffect()
    }

    /// Returns this publisher as an effect that cannot fail: it delivers values and the failure as results.
    public func catchToEffect() -> Effect<Result<Output, Failure>, Never> {
        map(Result<Output, Failure>.success)
            .catch { Just(Result<Output, Failure>.failure($0)) }
            .eraseToEffect()
    }

    /// Returns this publisher as an effect that cannot fail, with transformed values and failure.
    public func catchToEffect<T>(_ transform: @escaping (Result<Output, Failure>) -> T) -> Effect<T, Never> {
        catchToEffect().map(transform)
    }

    /// Replaces each value with the values of an effect. Cancellation ids in that effect are scoped to the store in
    /// whose reducer `flatMap` is called, even if an operator subscribes to the effect later or on another thread.
    public func flatMap<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Effect<T, Failure>
    ) -> Publishers.FlatMap<Effect<T, Failure>, Self> {
        Publishers.FlatMap(
            upstream: self, maxPublishers: maxPublishers, transform: EffectScope.bindingToCurrentScope(transform))
    }
}

extension Publisher where Failure == Never {
    /// Replaces each value with the values of an effect. Cancellation ids in that effect are scoped to the store in
    /// whose reducer `flatMap` is called, even if an operator subscribes to the effect later or on another thread.
    public func flatMap<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Effect<T, Never>
    ) -> Publishers.FlatMap<Effect<T, Never>, Self> {
        Publishers.FlatMap(
            upstream: self, maxPublishers: maxPublishers, transform: EffectScope.bindingToCurrentScope(transform))
    }
}

extension EffectScope {
    /// Returns a function like `transform` whose effects belong to the current scope, unless they are subscribed in
    /// another one.
    static func bindingToCurrentScope<Input, Output, Failure: Error>(
        _ transform: @escaping (Input) -> Effect<Output, Failure>
    ) -> (Input) -> Effect<Output, Failure> {
        guard let scope = current else { return transform }
        let origin = EffectOrigin.current
        return { value in
            guard current == nil else { return origin.path.run { transform(value) } }
            return scope.run { origin.restore { transform(value) } }.bound(to: scope, from: origin)
        }
    }
}

extension Effect {
    /// Returns this effect bound to `scope`, wherever it is subscribed.
    ///
    /// - Parameter origin: The subscription of which it is a part.
    func bound(to scope: EffectScope, from origin: EffectOrigin) -> Effect {
        transformingWork { effect in
            guard case .publisher(let publisher) = effect.work else { return effect }
            return Effect(
                Attached { subscriber in
                    scope.run { origin.restore { publisher.receive(subscriber: subscriber) } }
                })
        }
    }

    /// Creates an effect from a closure that attaches the subscriber. The closure also receives the scope that the
    /// effect belongs to.
    static func attached(_ attach: @escaping (AnySubscriber<Output, Failure>, EffectScope) -> Void) -> Effect {
        // Captured now, because operators such as `delay` subscribe later on a thread that has no task-local values of
        // the reducer.
        let origin = EffectScope.current
        return Effect(Attached { attach($0, EffectScope.resolve(createdIn: origin)) })
    }
}

/// A publisher whose subscribers are attached by a closure.
struct Attached<Output, Failure: Error>: Publisher {
    let attach: (AnySubscriber<Output, Failure>) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }
}
