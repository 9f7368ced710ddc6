import CombineCore
import StateCapture

/// Merges a limited number of sources at a time. Sources above the limit are queued or dropped.
final class LimitedMerge<Element, Source: ObservableConvertibleType> {
    /// The parameters that distinguish the operators.
    struct Rule {
        let name: StaticString
        let limit: Int
        let queuesExcess: Bool
    }

    private typealias ID = LiveSources<Element>.ID
    private typealias Waiting = (stream: Source, id: ID?)

    private let observer: AnyObserver<Source.Element>
    private let group: CompositeDisposable
    private let rule: Rule
    private let selector: (Element) throws -> Source
    /// The captured side of the operator, if the session's machine is being wired.
    let capture: OperatorCapture?
    private let sources: LiveSources<Element>?
    private let serializer: Serializer
    /// Used inside the serializer, like the properties below.
    private var waiting = Queue<Waiting>()
    /// The sources within the limit, which are subscribed to next.
    private var admitted = Queue<Waiting>()
    /// The number of sources within the limit, admitted ones included.
    private var active = 0
    /// Whether a thread is subscribing to sources, which it does outside of the serializer.
    private var isStarting = false
    private var hasEnded = false
    /// The sources of a restored machine that are not made yet.
    private var restored: [LiveSource<Element>] = []

    init(
        _ observer: AnyObserver<Source.Element>, _ group: CompositeDisposable, _ rule: Rule,
        _ selector: @escaping (Element) throws -> Source
    ) {
        self.observer = observer
        self.group = group
        self.rule = rule
        self.selector = selector
        serializer = Serializer(group)
        capture = OperatorCapture.current(group, serializer)
        sources = StateRegistry.current?.makeSources(
            of: Element.self, emitting: Source.Element.self, named: "\(rule.name)")
        if capture != nil { keepState() }
    }

    func on(_ event: Event<Element>) {
        var next: Waiting?
        serializer.run {
            switch event {
            case .next(let element):
                enqueue(element)
                next = takeNext()
            case .error(let error): observer.onError(error)
            case .completed:
                hasEnded = true
                completeIfDone()
            }
        }
        start(next)
    }

    private func enqueue(_ element: Element) {
        let isWithinLimit = active < rule.limit
        guard isWithinLimit || rule.queuesExcess else { return }
        let id = sources?.begin(element)
        // As in RxSwift: a selector that sends to its own source takes its place first, unless further sources are dropped.
        if isWithinLimit, rule.queuesExcess { active += 1 }
        do {
            // The selector runs now, even if its source is queued: an error that it throws terminates the result
            // immediately, as in RxSwift.
            let made = (try wire(id) { try selector(element) }, id)
            guard isWithinLimit else { return waiting.append(made) }
            if !rule.queuesExcess { active += 1 }
            admitted.append(made)
        } catch {
            observer.onError(error)
        }
    }

    /// Returns the next source to subscribe to, unless a call of `start(_:)` is in progress, which then takes it.
    private func takeNext() -> Waiting? {
        guard !isStarting, let next = admitted.removeFirst() else { return nil }
        isStarting = true
        return next
    }

    /// Subscribes to a source, and to those that may follow it meanwhile.
    ///
    /// Runs in a loop, not recursively from a source's completion, so that sources that complete immediately do not grow
    /// the stack.
    private func start(_ first: Waiting?) {
        var next = first
        while let (stream, id) = next {
            subscribe(to: stream, id)
            next = nil
            serializer.run {
                isStarting = false
                next = takeNext()
            }
        }
    }

    private func subscribe(to stream: Source, _ id: ID?) {
        let inner = CompositeDisposable()
        guard let key = group.insert(inner) else { return }
        wire(id) { stream.listen(inner) { [self] event in receive(event, id, key) } }
    }

    private func receive(_ event: Event<Source.Element>, _ id: ID?, _ key: CompositeDisposable.DisposeKey) {
        var next: Waiting?
        // Removed now, so that the group does not grow with the number of sources.
        if case .completed = event { group.remove(for: key) }
        serializer.run {
            switch event {
            case .completed:
                if let id { sources?.end(id) }
                // The first one that waits takes the place.
                if let source = waiting.removeFirst() { admitted.append(source) } else { active -= 1 }
                next = takeNext()
                completeIfDone()
            case .next: OperatorCapture.sendInitialValues { observer.on(event) }
            case .error: observer.on(event)
            }
        }
        start(next)
    }

    private func completeIfDone() {
        if hasEnded, active == 0 { observer.onCompleted() }
    }

    /// Makes a source or subscribes to it.
    private func wire<Result, Failure: Error>(
        _ id: ID?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let sources, let id { return try sources.wire(id, body) }
        return StateRegistry.current == nil ? try body() : try StateRegistry.withoutRegistry(body)
    }
}

private struct LimitedMergeState<Element>: Codable {
    /// The elements whose sources are active, and then those whose sources wait.
    var sources: [LiveSource<Element>]
    var hasEnded: Bool
}

extension LimitedMerge {
    private func keepState() {
        // A value of another type is an obstacle.
        capture?.keep(rule.name, holding: LiveSources<Element>.canCapture ? Bool.self : Element.self) { [self] in
            LimitedMergeState(sources: sources?.live ?? [], hasEnded: hasEnded)
        } _: { [self] state in
            // Not after the wiring, which changes none of it.
            guard StateRegistry.isRestoring else { return }
            hasEnded = state.hasEnded
            restored = state.sources
        }
    }

    /// Makes the sources of a restored machine again. Called after the subscription to the source of the elements.
    func begin() {
        guard let capture, let sources, capture.isRestored, !capture.hasEnded else { return }
        let found = sources.restore(restored)
        restored = []
        var next: Waiting?
        serializer.run {
            for source in found {
                do {
                    let stream = try sources.wire(source.id) { try selector(source.element) }
                    if active < rule.limit || !rule.queuesExcess {
                        active += 1
                        admitted.append((stream, source.id))
                    } else {
                        waiting.append((stream, source.id))
                    }
                } catch {
                    // A closure that threw would not have been captured. Another build may differ.
                    sources.end(source.id)
                }
            }
            next = takeNext()
        }
        start(next)
        capture.start { [self] in serializer.run { completeIfDone() } }
    }
}
