import Locking

/// The part of an operator that combines all values into one result, independent of demand, threads and subscriptions.
@usableFromInline
protocol Reduction: FailureTranslation {
    associatedtype Input
    associatedtype Output
    /// The intermediate result.
    associatedtype Partial

    /// The types of the values in the captured state.
    static var valueTypes: [any Any.Type] { get }

    func begin() -> Partial

    func reduce(_ partial: Partial, _ input: Input) throws(Failure) -> ReductionStep<Partial>

    /// Returns the result, or nil to finish the stream without a value.
    func result(of partial: Partial) -> Output?

    /// Returns the children of the conduit's mirror, or nil for the default ones.
    func children(_ partial: Partial) -> [Mirror.Child]?
}

extension Reduction {
    @usableFromInline static var valueTypes: [any Any.Type] { [Partial.self, Output.self] }

    @usableFromInline
    func children(_ partial: Partial) -> [Mirror.Child]? { nil }
}

extension Reduction where Partial == Output {
    @inlinable
    func result(of partial: Partial) -> Output? { partial }
}

extension Reduction where Partial == Output? {
    @inlinable
    func begin() -> Partial { nil }

    @inlinable
    func result(of partial: Partial) -> Output? { partial }
}

/// The effect of a value on a reduction.
@usableFromInline
enum ReductionStep<Partial> {
    case more(Partial)
    /// The result is final; further values cannot change it.
    case decided(Partial)
}

/// The conduit of operators that are described by a ``Reduction``.
///
/// It requests unlimited values from upstream immediately. The result, and the end of a stream without one, wait until
/// downstream requests a value. A failure does not wait.
@usableFromInline
final class ReductionConduit<R: Reduction, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
where Downstream.Input == R.Output, Downstream.Failure == R.Failure {
    // Used only inside the gate and released after the end; the gate already makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var reduction: R?
    @exclusivity(unchecked) @usableFromInline var partial: R.Partial?
    @exclusivity(unchecked) @usableFromInline var result: R.Output?
    /// Whether the result is final and waits for demand.
    @exclusivity(unchecked) @usableFromInline var isDecided = false

    @inlinable
    init(_ downstream: Downstream, _ reduction: R) {
        self.reduction = reduction
        partial = reduction.begin()
        super.init(downstream) { unsafeDowncast($0, to: ReductionConduit<R, Downstream>.self).handle($1) }
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
            demand.add(more)
            drainOrMark()
        case .cancel: endAndCancel()
        case .drainPending: drainPending()
        }
    }

    @inlinable
    func drainPending() {
        if demand.isEnded {
            downstream = nil
            reduction = nil
            partial = nil
            result = nil
            return
        }
        deliver()
    }

    /// Inside the gate: delivers the result, if any, and the end, once downstream has requested a value.
    @inlinable
    func deliver() {
        guard isDecided, demand.current > 0, let downstream else { return }
        // Cleared before the call: a request from inside the delivery drains again and must not find the result a
        // second time.
        isDecided = false
        if let value = result {
            result = nil
            _ = downstream.receive(value)
        }
        if demand.end() {
            downstream.receive(completion: .finished)
            releaseReferences()
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        begin(subscription, requesting: .unlimited)
    }

    @inlinable
    func receive(_ input: R.Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, !demand.isEnded, let reduction, let partial else { return .none }
        do throws(R.Failure) {
            switch try reduction.reduce(partial, input) {
            case .more(let partial):
                // The closure may have cancelled the stream. Storing the partial result then would keep it alive, since
                // the references have been released already.
                if !demand.isEnded { self.partial = partial }
            case .decided(let partial):
                takeUpstream()?.cancel()
                decide(partial)
            }
        } catch {
            end(with: .failure(error))
        }
        return .none
    }

    /// Inside the gate: makes the result final.
    @inlinable
    func decide(_ final: R.Partial) {
        guard !demand.isEnded, let reduction, partial != nil else { return }
        partial = nil
        result = reduction.result(of: final)
        isDecided = true
        deliver()
    }

    @inlinable
    func receive(completion: Subscribers.Completion<R.SourceFailure>) {
        let outermost = enter()
        defer { exit(outermost) }
        guard let reduction, let partial, takeUpstream() != nil else { return }
        switch completion {
        case .finished: decide(partial)
        case .failure(let error): complete(.failure(reduction.translate(error)))
        }
    }

    @usableFromInline override var description: String { LinkName.of(R.self) }

    @usableFromInline override var customMirror: Mirror {
        if let reduction, let partial, let children = reduction.children(partial) { return mirror(children) }
        let initial = reduction.map { $0.begin() as Any } as Any
        let status: Any = lock.withLock { upstream } as Any
        return mirror([
            ("downstream", downstream as Any), ("result", (result ?? partial as Any) as Any), ("initial", initial),
            ("status", status),
        ])
    }
}
