import CombineCore

/// What `combineLatest` and `zip` do when one of their streams sends an element or ends: the operators' rules, without
/// the elements themselves.
struct GatheringRule {
    enum Kind {
        /// The latest element of each stream, whenever one of them sends.
        case latest
        /// The elements that have the same position.
        case pairs
        /// Like ``pairs``, for a collection of streams: it also completes once a single stream is left and lacks a partner.
        case pairsOfCollection
    }

    enum Step {
        /// Nothing can be sent yet.
        case wait
        /// Every stream has an element: send the result.
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

    /// The stream at `position` sent an element; `isComplete` tells whether every stream has one by now.
    func elementReceived(at position: Int, isComplete: Bool) -> Step {
        if isComplete { return .deliver }
        switch kind {
        case .latest: return openCount - (hasEnded[position] ? 0 : 1) == 0 ? .complete : .wait
        // RxSwift's `zip` of two to eight streams waits until all of them have ended.
        case .pairs: return .wait
        case .pairsOfCollection: return openCount == 1 ? .complete : .wait
        }
    }

    /// The stream at `position` completed.
    mutating func completionReceived(at position: Int) -> Step {
        if !hasEnded[position] {
            hasEnded[position] = true
            openCount -= 1
        }
        return openCount == 0 ? .complete : .wait
    }
}

/// The elements of one stream that have not become part of a result, or only its latest.
final class GatheredElements<Element> {
    private var queue = Queue<Element>()
    private var latest: Element?
    private let keepsLatest: Bool

    init(_ kind: GatheringRule.Kind) {
        keepsLatest = kind == .latest
    }

    var isEmpty: Bool { keepsLatest ? latest == nil : queue.isEmpty }

    func append(_ element: Element) {
        if keepsLatest { latest = element } else { queue.append(element) }
    }

    /// The element that is part of the next result; nil if there is none.
    func next() -> Element? {
        keepsLatest ? latest : queue.removeFirst()
    }
}

/// Gathers the elements of several streams into results.
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

    /// Subscribes to the stream at `position`. `result` takes one element of each stream.
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

/// The results of `selector` for the elements of the streams, gathered by the rule.
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

/// One element of each stream; nil if a stream has none.
private func nextElements<each Element>(_ side: repeat GatheredElements<each Element>) -> (repeat each Element)? {
    func take<Value>(_ side: GatheredElements<Value>) throws -> Value {
        guard let element = side.next() else { throw RxError.noElements }
        return element
    }
    return try? (repeat take(each side))
}

/// The results of `selector` for the elements of a collection's streams, gathered by the rule.
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
