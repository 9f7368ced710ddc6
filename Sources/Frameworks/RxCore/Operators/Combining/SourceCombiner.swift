import CombineCore

/// The elements of one source that are not yet part of a result, or only the latest one.
final class ElementBuffer<Element> {
    private var queue = Queue<Element>()
    private var latest: Element?
    private let keepsLatest: Bool

    init(_ kind: CombiningRule.Kind) {
        keepsLatest = kind == .latest
    }

    var isEmpty: Bool { keepsLatest ? latest == nil : queue.isEmpty }

    func append(_ element: Element) {
        if keepsLatest { latest = element } else { queue.append(element) }
    }

    /// Returns the element for the next result, or nil if none exists.
    func next() -> Element? {
        keepsLatest ? latest : queue.removeFirst()
    }

    func state(hasEnded: Bool) -> SourceState<Element> {
        SourceState(queue: queue, latest: latest, hasEnded: hasEnded)
    }

    /// Puts back a captured state.
    func restore(_ state: SourceState<Element>) {
        if keepsLatest { latest = state.latest } else { queue = state.queue }
    }
}

/// The captured state of one source of a combining operator.
struct SourceState<Element> {
    var queue = Queue<Element>()
    var latest: Element?
    var hasEnded = false
}

extension SourceState: Codable {
    private enum Key: String, CodingKey {
        case elements
        case hasEnded
    }

    /// Decodes the elements, of which there is at most one if only the latest is kept.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        hasEnded = try container.decode(Bool.self, forKey: .hasEnded)
        for element in try container.decode(CapturedValues<Element>.self, forKey: .elements).values {
            queue.append(element)
            latest = element
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(hasEnded, forKey: .hasEnded)
        var (rest, elements) = (queue, CapturedValues<Element>())
        while let element = rest.removeFirst() { elements.values.append(element) }
        if let latest { elements.values.append(latest) }
        try container.encode(elements, forKey: .elements)
    }
}

/// Combines the elements of several sources into results.
final class SourceCombiner<Result> {
    private let observer: AnyObserver<Result>
    private let serializer: Serializer
    /// Used inside the serializer.
    private var rule: CombiningRule
    private let capture: OperatorCapture?
    private let name: StaticString

    init(_ observer: AnyObserver<Result>, _ group: CompositeDisposable, _ kind: CombiningRule.Kind, count: Int) {
        self.observer = observer
        rule = CombiningRule(kind, count: count)
        serializer = Serializer(group)
        capture = OperatorCapture.current(group, serializer)
        name = kind == .latest ? "combineLatest" : "zip"
    }

    /// Subscribes to the source at `position`. `result` consumes one element of each source.
    func listen<Element>(
        to stream: Observable<Element>, at position: Int, keeping elements: ElementBuffer<Element>,
        _ group: CompositeDisposable, hasAll: @escaping () -> Bool, result: @escaping () throws -> Result?
    ) {
        // A group per source, so that a completed source is released while the others continue.
        let subscription = CompositeDisposable()
        group.add(subscription)
        capture?.keep(name, holding: Element.self) { [self] in
            elements.state(hasEnded: rule.hasEnded(at: position))
        } _: { [self] state in
            elements.restore(state)
            if state.hasEnded { _ = rule.completionReceived(at: position) }
        }
        stream.listenUnserialized(subscription, capture) { [self] event in
            if case .completed = event { subscription.dispose() }
            serializer.run {
                switch event {
                case .next(let element):
                    elements.append(element)
                    perform(rule.elementReceived(at: position, isComplete: hasAll()), result)
                case .error(let error): observer.onError(error)
                case .completed: perform(rule.completionReceived(at: position), result)
                }
            }
        }
    }

    /// Sends the completion of an operator that had ended before the machine was restored.
    func finish() {
        capture?.finish(observer)
    }

    private func perform(_ step: CombiningRule.Step, _ result: () throws -> Result?) {
        switch step {
        case .wait: break
        case .complete: observer.onCompleted()
        case .deliver:
            do {
                if let result = try result() { observer.onNext(result) }
            } catch {
                observer.onError(error)
            }
        }
    }
}

/// Returns an observable that emits the results of `selector` for the combined elements of the sources.
func combine<each Source: ObservableConvertibleType, Result>(
    _ kind: CombiningRule.Kind, _ source: repeat each Source,
    selector: @escaping (repeat (each Source).Element) throws -> Result
) -> Observable<Result> {
    combineStreams(kind, repeat (each source).asObservable(), selector: selector)
}

private func combineStreams<each Element, Result>(
    _ kind: CombiningRule.Kind, _ stream: repeat Observable<each Element>,
    selector: @escaping (repeat each Element) throws -> Result
) -> Observable<Result> {
    // A parameter pack has no count property.
    var count = 0
    for _ in repeat each stream { count += 1 }
    let total = count
    return Observable(subscribe: { observer, group in
        let combiner = SourceCombiner(observer, group, kind, count: total)
        let buffers = (repeat ElementBuffer<each Element>(kind))
        let hasAll = {
            for buffer in repeat each buffers {
                if buffer.isEmpty { return false }
            }
            return true
        }
        let result = { () throws -> Result? in
            guard let elements = nextElements(repeat each buffers) else { return nil }
            return try selector(repeat each elements)
        }
        var position = 0
        for (stream, buffer) in repeat (each stream, each buffers) {
            combiner.listen(to: stream, at: position, keeping: buffer, group, hasAll: hasAll, result: result)
            position += 1
        }
        combiner.finish()
    })
}

/// Returns one element of each source, or nil if a source has none.
private func nextElements<each Element>(_ buffer: repeat ElementBuffer<each Element>) -> (repeat each Element)? {
    // Throws because a pack expansion cannot end early in any other way.
    func take<Value>(_ buffer: ElementBuffer<Value>) throws -> Value {
        guard let element = buffer.next() else { throw RxError.noElements }
        return element
    }
    return try? (repeat take(each buffer))
}

/// Returns an observable that emits the results of `selector` for the combined elements of a collection of sources.
func combine<Element, Result>(
    _ kind: CombiningRule.Kind, all streams: [Observable<Element>], selector: @escaping ([Element]) throws -> Result
) -> Observable<Result> {
    Observable(subscribe: { observer, group in
        if streams.isEmpty { return finishEmpty(observer, kind, selector) }
        let combiner = SourceCombiner(observer, group, kind, count: streams.count)
        let buffers = streams.map { _ in ElementBuffer<Element>(kind) }
        for (position, stream) in streams.enumerated() {
            combiner.listen(
                to: stream, at: position, keeping: buffers[position], group,
                hasAll: { buffers.allSatisfy { !$0.isEmpty } },
                result: { try selector(buffers.compactMap { $0.next() }) })
        }
        combiner.finish()
    })
}

/// Ends the combination of no sources. As in RxSwift, only their latest elements have a result.
private func finishEmpty<Element, Result>(
    _ observer: AnyObserver<Result>, _ kind: CombiningRule.Kind, _ selector: ([Element]) throws -> Result
) {
    if case .latest = kind {
        OperatorCapture.sendInitialValues { observer.on(Event.next([]).map(selector)) }
    }
    observer.onCompleted()
}
