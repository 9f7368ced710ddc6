/// The rules by which `combineLatest` and `zip` react to an event of one of their sources, without the elements
/// themselves.
struct GatheringRule {
    enum Kind {
        /// The latest element of each source, whenever one of them emits.
        case latest
        /// The elements at the same position.
        case pairs
        /// Like ``zip``, but for a collection of sources. It also completes as soon as only one source is open and has
        /// no partner for its next element.
        case pairsOfCollection
    }

    enum Step {
        /// Nothing can be emitted yet.
        case wait
        /// Every source has an element: emit the result.
        case deliver
        /// No further result is possible.
        case complete
    }

    private let kind: Kind
    private var hasEnded: [Bool]
    private var openCount: Int

    init(_ kind: Kind, count: Int) {
        self.kind = kind
        hasEnded = Array(repeating: false, count: count)
        openCount = count
    }

    /// Handles an element of the source at `position`. `isComplete` is true if every source has an element.
    func elementReceived(at position: Int, isComplete: Bool) -> Step {
        if isComplete { return .deliver }
        switch kind {
        case .latest: return openCount - (hasEnded[position] ? 0 : 1) == 0 ? .complete : .wait
        // RxSwift's `zip` of two to eight sources completes only when all of them have completed.
        case .pairs: return .wait
        case .pairsOfCollection: return openCount == 1 ? .complete : .wait
        }
    }

    /// Handles the completion of the source at `position`.
    mutating func completionReceived(at position: Int) -> Step {
        if !hasEnded[position] {
            hasEnded[position] = true
            openCount -= 1
        }
        return openCount == 0 ? .complete : .wait
    }
}

/// The elements of one source that are not yet part of a result, or only the latest one.
final class GatheredElements<Element> {
    private var queue = Backlog<Element>()
    private var latest: Element?
    private let keepsLatest: Bool

    init(_ kind: GatheringRule.Kind) {
        keepsLatest = kind == .latest
    }

    var isEmpty: Bool { keepsLatest ? latest == nil : queue.isEmpty }

    func append(_ element: Element) {
        if keepsLatest { latest = element } else { queue.append(element) }
    }

    /// Returns the element for the next result, or nil if there is none.
    func next() -> Element? {
        keepsLatest ? latest : queue.takeFirst()
    }
}

/// Combines the elements of several sources into results.
final class Gathering<Result> {
    private let observer: AnyObserver<Result>
    private let serializer = Serializer()
    /// Used inside the serializer.
    private var rule: GatheringRule

    init(_ observer: AnyObserver<Result>, _ kind: GatheringRule.Kind, count: Int) {
        self.observer = observer
        rule = GatheringRule(kind, count: count)
        if count == 0 { observer.onCompleted() }
    }

    /// Subscribes to the source at `position`. `result` consumes one element of each source.
    func listen<Element>(
        to stream: Observable<Element>, at position: Int, keeping elements: GatheredElements<Element>,
        _ group: CompositeDisposable, hasAll: @escaping () -> Bool, result: @escaping () throws -> Result?
    ) {
        let subscription = CompositeDisposable()
        group.add(subscription)
        stream.listen(subscription) { [self] event in
            serializer.run {
                switch event {
                case .next(let element):
                    elements.append(element)
                    perform(rule.elementReceived(at: position, isComplete: hasAll()), result)
                case .error(let error): observer.onError(error)
                case .completed:
                    subscription.dispose()
                    perform(rule.completionReceived(at: position), result)
                }
            }
        }
    }

    private func perform(_ step: GatheringRule.Step, _ result: () throws -> Result?) {
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
func gather<each Element, Result>(
    _ kind: GatheringRule.Kind, _ stream: repeat Observable<each Element>,
    selector: @escaping (repeat each Element) throws -> Result
) -> Observable<Result> {
    var count = 0
    for _ in repeat each stream { count += 1 }
    let total = count
    return Observable(serving: { observer, group in
        let gathering = Gathering(observer, kind, count: total)
        let sides = (repeat GatheredElements<each Element>(kind))
        let hasAll = {
            for side in repeat each sides {
                if side.isEmpty { return false }
            }
            return true
        }
        let result = { () throws -> Result? in
            guard let elements = nextElements(repeat each sides) else { return nil }
            return try selector(repeat each elements)
        }
        var position = 0
        for (stream, side) in repeat (each stream, each sides) {
            gathering.listen(to: stream, at: position, keeping: side, group, hasAll: hasAll, result: result)
            position += 1
        }
    })
}

/// Returns one element of each source, or nil if a source has none.
private func nextElements<each Element>(_ side: repeat GatheredElements<each Element>) -> (repeat each Element)? {
    func take<Value>(_ side: GatheredElements<Value>) throws -> Value {
        guard let element = side.next() else { throw RxError.noElements }
        return element
    }
    return try? (repeat take(each side))
}

/// Returns an observable that emits the results of `selector` for the combined elements of a collection of sources.
func gather<Element, Result>(
    _ kind: GatheringRule.Kind, all streams: [Observable<Element>], selector: @escaping ([Element]) throws -> Result
) -> Observable<Result> {
    Observable(serving: { observer, group in
        let gathering = Gathering(observer, kind, count: streams.count)
        let sides = streams.map { _ in GatheredElements<Element>(kind) }
        for (position, stream) in streams.enumerated() {
            gathering.listen(
                to: stream, at: position, keeping: sides[position], group,
                hasAll: { sides.allSatisfy { !$0.isEmpty } }, result: { try selector(sides.compactMap { $0.next() }) })
        }
    })
}
