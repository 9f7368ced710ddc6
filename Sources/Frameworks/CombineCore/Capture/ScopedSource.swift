import StateCapture

/// A publisher that a captured operator has made from a value.
protocol ScopedPublisher: Publisher {
    associatedtype Element
    /// The type of the publisher that the closure of the operator returns.
    associatedtype Made: Publisher where Made.Output == Output, Made.Failure == Failure

    init(sources: LiveSources<Element>, id: LiveSources<Element>.ID, publisher: Made)
}

/// A publisher whose subscription belongs to the scope of the value that it was made from.
struct ScopedSource<Element, Made: Publisher>: ScopedPublisher {
    typealias Output = Made.Output
    typealias Failure = Made.Failure

    let sources: LiveSources<Element>
    let id: LiveSources<Element>.ID
    let publisher: Made

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        sources.wire(id) {
            publisher.receive(subscriber: Observer(subscriber: subscriber, sources: sources, id: id))
        }
    }

    /// The subscriber of the publisher, which notes its end.
    struct Observer<Downstream: Subscriber>: Subscriber, DescribedSubscriber
    where Downstream.Input == Made.Output, Downstream.Failure == Made.Failure {
        typealias Input = Made.Output
        typealias Failure = Made.Failure

        let subscriber: Downstream
        let sources: LiveSources<Element>
        let id: LiveSources<Element>.ID

        var combineIdentifier: CombineIdentifier { subscriber.combineIdentifier }

        var description: String { String(describing: subscriber) }

        func receive(subscription: any Subscription) {
            subscriber.receive(subscription: subscription)
        }

        func receive(_ input: Made.Output) -> Subscribers.Demand {
            guard StateRegistry.isWiring else { return subscriber.receive(input) }
            // A source of another kind sends its first value again, which belongs to the first life of the machine.
            if StateRegistry.isRestoring { return .max(1) }
            return StateRegistry.withoutRegistry { subscriber.receive(input) }
        }

        func receive(completion: Subscribers.Completion<Made.Failure>) {
            sources.end(id)
            guard StateRegistry.isWiring else { return subscriber.receive(completion: completion) }
            StateRegistry.withoutRegistry { subscriber.receive(completion: completion) }
        }
    }
}

/// The subscriber that makes the publishers of a captured operator from the values that it receives.
final class SourceMaker<Origin: Publisher, Core: FlatteningConduit>: Subscriber, DescribedSubscriber
where Core.Source.Element == Origin.Output {
    typealias Input = Origin.Output
    typealias Failure = Origin.Failure
    typealias Sources = LiveSources<Origin.Output>

    private let conduit: Core
    private let sources: Sources
    private let make: (Input) throws -> Core.Source.Made?
    private let fail: (Failure) -> Core.Failure?
    /// The number of requested values from which the sources of a restored machine were made.
    private let received: Int
    private var subscription: (any Subscription)?

    init(
        _ conduit: Core, _ sources: Sources, received: Int,
        _ make: @escaping (Input) throws -> Core.Source.Made?, _ fail: @escaping (Failure) -> Core.Failure?
    ) {
        self.conduit = conduit
        self.sources = sources
        self.received = received
        self.make = make
        self.fail = fail
    }

    var description: String { String(describing: conduit) }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        conduit.receive(subscription: received == 0 ? subscription : ReducedRequests(subscription, by: received))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        if conduit.demand.isEnded { return .none }
        // A source of another kind sends its first value again, which belongs to the first life of the machine.
        if StateRegistry.isRestoring { return .max(1) }
        let id = sources.begin(input)
        do {
            guard let made = try sources.wire(id, { try make(input) }) else {
                sources.end(id)
                return .max(1)
            }
            if Core.isSwitching { sources.endAll(except: id) }
            return conduit.receive(Core.Source(sources: sources, id: id, publisher: made))
        } catch {
            sources.end(id)
            subscription?.cancel()
            // `make` throws only in an operator whose failure type is any error.
            conduit.receive(completion: (error as? Core.Failure).map { .failure($0) } ?? .finished)
            return .none
        }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        subscription = nil
        switch completion {
        case .finished: conduit.receive(completion: .finished)
        case .failure(let error): conduit.receive(completion: fail(error).map { .failure($0) } ?? .finished)
        }
    }
}

/// A subscription from which the values of a restored machine's sources were requested before.
final class ReducedRequests: Conduit {
    private let source: any Subscription
    private var rest: Int

    init(_ source: any Subscription, by count: Int) {
        self.source = source
        rest = count
        super.init { ($0 as? ReducedRequests)?.handle($1) }
    }

    private func handle(_ command: Command) {
        switch command {
        case .request(let demand):
            guard let wanted = demand.max else { return source.request(demand) }
            let omitted = min(rest, wanted)
            rest -= omitted
            if wanted > omitted { source.request(.max(wanted - omitted)) }
        case .cancel: source.cancel()
        case .drainPending: break
        }
    }
}
