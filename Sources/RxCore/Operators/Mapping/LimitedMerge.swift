import CombineCore
import StateCapture

/// Merges a limited number of sources at a time. Sources above the limit are queued or dropped.
final class LimitedMerge<Element, Source: ObservableConvertibleType> {
    /// What distinguishes the operators.
    struct Rule {
        let name: StaticString
        let limit: Int
        let queuesExcess: Bool
    }

    private typealias ID = LiveSources<Element>.ID

    private let observer: AnyObserver<Source.Element>
    private let group: CompositeDisposable
    private let rule: Rule
    private let selector: (Element) throws -> Source
    /// The captured side of the operator, if the session's machine is being wired.
    let capture: OperatorCapture?
    private let sources: LiveSources<Element>?
    private let serializer: Serializer
    /// Used inside the serializer, like the properties below.
    private var waiting = Queue<(stream: Source, id: ID?)>()
    private var active = 0
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
        // A local one, because the argument below is a closure, which must not use an object that is not initialized yet.
        let serializer = Serializer()
        self.serializer = serializer
        capture = OperatorCapture.current(group, serializer)
        sources = StateRegistry.current?.makeSources(
            of: Element.self, emitting: Source.Element.self, named: "\(rule.name)")
        if capture != nil { keepState() }
    }

    func on(_ event: Event<Element>) {
        serializer.run {
            switch event {
            case .next(let element):
                guard active < rule.limit || rule.queuesExcess else { return }
                let id = sources?.begin(element)
                do {
                    // As in RxSwift, the selector runs now, even if its source is queued: an error that it throws
                    // terminates the result immediately.
                    waiting.append((try wire(id) { try selector(element) }, id))
                    startWaiting()
                } catch {
                    observer.onError(error)
                }
            case .error(let error): observer.onError(error)
            case .completed:
                hasEnded = true
                completeIfDone()
            }
        }
    }

    /// Runs in a loop, not recursively from a source's completion, so that sources that complete immediately do not
    /// grow the stack.
    private func startWaiting() {
        guard !isStarting else { return }
        isStarting = true
        while active < rule.limit, let (stream, id) = waiting.removeFirst() { start(stream, id) }
        isStarting = false
    }

    private func start(_ stream: Source, _ id: ID?) {
        // Counted before the subscription, during which the source may complete.
        active += 1
        let inner = CompositeDisposable()
        let key = group.insert(inner)
        wire(id) { stream.listen(inner) { [self] event in receive(event, id, key) } }
    }

    private func receive(_ event: Event<Source.Element>, _ id: ID?, _ key: CompositeDisposable.DisposeKey?) {
        serializer.run {
            switch event {
            case .completed:
                active -= 1
                if let id { sources?.end(id) }
                // Removed now, so that the group does not grow with the number of sources.
                if let key { group.remove(for: key) }
                startWaiting()
                completeIfDone()
            case .next: OperatorCapture.sendInitialValues { observer.on(event) }
            case .error: observer.on(event)
            }
        }
    }

    private func completeIfDone() {
        if hasEnded, active == 0, waiting.isEmpty { observer.onCompleted() }
    }

    /// Makes a source or subscribes to it.
    private func wire<Result, Failure: Error>(
        _ id: ID?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let sources, let id { return try sources.wire(id, body) }
        return StateRegistry.current == nil ? try body() : try StateRegistry.withoutRegistry(body)
    }
}

/// The captured state of a ``LimitedMerge``.
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
        serializer.run {
            for source in found {
                do {
                    let stream = try sources.wire(source.id) { try selector(source.element) }
                    waiting.append((stream, source.id))
                } catch {
                    // A closure that threw would not have been captured. Another build may differ.
                    sources.end(source.id)
                }
            }
            startWaiting()
        }
        capture.start { [self] in serializer.run { completeIfDone() } }
    }
}
