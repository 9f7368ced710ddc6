import StateCapture

/// The state of `flatMap` or `switchToLatest`.
struct FlatteningState<Element, Value>: Codable {
    var isUpstreamFinished: Bool
    /// The values whose publishers are subscribed.
    var sources: [LiveSource<Element>]
    /// The values of publishers that wait for demand. Those of one publisher are next to each other.
    var kept: [KeptValue<Value>]

    /// The number of publishers that have finished. Each counts until its last value is delivered.
    var finishedCount: Int {
        kept.count { $0.isFinished }
            - zip(kept, kept.dropFirst()).count { $0.isFinished && $1.isOfSamePublisher(as: $0) }
    }
}

/// A value that waits for demand.
struct KeptValue<Value>: Codable {
    var value: StoredValue<Value>
    /// The number of subscribed publishers that are older than the one of the value.
    var place: Int
    /// Whether the publisher of the value has finished.
    var isFinished: Bool
    /// The order of the first value of the same publisher, if that has finished and several of its values wait. States of older builds
    /// have none, as if each value were of a publisher of its own.
    var child: Int?
    /// The number of values that arrived earlier; nil in states of older builds, which delivered the value of the oldest publisher first.
    var order: Int?

    func isOfSamePublisher(as other: KeptValue) -> Bool {
        isFinished == other.isFinished && (isFinished ? child != nil && child == other.child : place == other.place)
    }
}

/// A conduit that subscribes to the publishers that it receives, as its captured part sees it.
protocol FlatteningConduit: GatedConduit, Subscriber where Input == Source, Failure == Source.Failure {
    associatedtype Source: ScopedPublisher where Source.Output == Downstream.Input, Source.Failure == Downstream.Failure
    associatedtype Downstream: Subscriber

    static var partName: StaticString { get }
    /// Whether a new publisher replaces the others.
    static var isSwitching: Bool { get }
    var downstream: Downstream? { get }
    var isUpstreamFinished: Bool { get set }

    /// Sends downstream its subscription.
    func open()
    func endStarting()
    func takeUpstream() -> Conduit?
    /// The values that wait for demand, by publisher.
    func keptValues() -> [KeptValue<Source.Output>]
    /// Adds a publisher of a restored machine, with the values that wait; only the values if the publisher has finished.
    func restore(_ source: Source?, _ kept: [Source.Output])
    /// Puts the restored values that wait in the order of their numbers.
    func reorderKept(by numbers: [Int])
    /// Ends if all publishers have finished.
    func finishRestored()
}

/// The captured side of `flatMap` or `switchToLatest`.
// An object of its own, which refers to the conduit, so that conduits outside of sessions are not larger.
final class FlatteningPart<Core: FlatteningConduit>: StatefulPart {
    typealias Element = Core.Source.Element
    typealias Made = Core.Source.Made

    static var partName: StaticString { Core.partName }

    private var conduit: Core
    private let sources: LiveSources<Element>
    private let make: (Element) throws -> Made?
    private var restored: FlatteningState<Element, Core.Source.Output>?
    private let capturesKept = StateRegistry.canCapture(Core.Source.Output.self)

    init(_ conduit: Core, _ sources: LiveSources<Element>, _ make: @escaping (Element) throws -> Made?) {
        self.conduit = conduit
        self.sources = sources
        self.make = make
    }

    func isAbandoned() -> Bool { isKnownUniquelyReferenced(&conduit) }

    /// Values that wait for demand are left out if their type cannot be captured: few operators leave demand unmet, and the
    /// machine would not be captured at all because of them.
    var partState: FlatteningState<Element, Core.Source.Output>? {
        conduit.state {
            FlatteningState(
                isUpstreamFinished: conduit.isUpstreamFinished, sources: sources.live,
                kept: capturesKept ? conduit.keptValues() : [])
        }
    }

    func restore(_ state: FlatteningState<Element, Core.Source.Output>?) {
        // Not after the wiring, which changes none of it.
        guard StateRegistry.isRestoring else { return }
        guard let state else { return conduit.endRestored(conduit.downstream) }
        conduit.isUpstreamFinished = state.isUpstreamFinished
        restored = state
    }

    func resume() {
        restored = nil
        guard conduit.isUpstreamFinished else { return }
        conduit.takeUpstream()?.cancel()
        let outermost = conduit.enter()
        conduit.finishRestored()
        conduit.exit(outermost)
    }

    /// Registers the part and subscribes the conduit.
    func attach<Origin: Publisher>(
        to origin: Origin, _ fail: @escaping (Origin.Failure) -> Core.Failure?, _ registry: StateRegistry
    ) where Origin.Output == Element {
        registry.register(self)
        let received = restored.map { $0.sources.count + $0.finishedCount } ?? 0
        let maker = SourceMaker<Origin, Core>(conduit, sources, received: received, make, fail)
        conduit.open()
        // The sources first: an upstream that has finished ends a conduit without sources.
        if let restored, !conduit.demand.isEnded { restoreSources(restored) }
        origin.receive(subscriber: maker)
        conduit.endStarting()
    }

    private func restoreSources(_ state: FlatteningState<Element, Core.Source.Output>) {
        var kept = state.kept[...]
        func takeValues() -> [Core.Source.Output] {
            let first = kept.removeFirst()
            let others = kept.prefix { $0.isOfSamePublisher(as: first) }
            kept = kept.dropFirst(others.count)
            return [first.value.value] + others.map(\.value.value)
        }
        func restoreFinished(before place: Int) {
            while let next = kept.first, next.isFinished, next.place <= place { conduit.restore(nil, takeValues()) }
        }
        for (place, source) in sources.restore(state.sources).enumerated() {
            restoreFinished(before: place)
            let waits = kept.first.map { !$0.isFinished && $0.place == place } ?? false
            let values = waits ? takeValues() : []
            // A closure that threw or returned nil would not have been captured. Another build may differ.
            if let made = try? sources.wire(source.id, { try make(source.element) }) {
                conduit.restore(Core.Source(sources: sources, id: source.id, publisher: made), values)
            } else {
                sources.end(source.id)
            }
        }
        restoreFinished(before: .max)
        let numbers = state.kept.compactMap(\.order)
        if numbers.count == state.kept.count { conduit.reorderKept(by: numbers) }
    }
}
