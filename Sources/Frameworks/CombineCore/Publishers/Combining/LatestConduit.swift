/// The conduit behind `combineLatest`.
///
/// Downstream demand is requested from every upstream. A value that arrives before the first tuple is complete, without
/// demand, or during the delivery of a tuple becomes the latest value of its side but is not delivered itself. The
/// stream finishes when all upstreams have finished, with or without a value.
@usableFromInline
final class LatestConduit<Shape: Bundle, Downstream: Subscriber>: UpstreamsConduit, SidedConduit
where Downstream.Input == Shape.Output {
    /// These are accessed inside the gate, and released after the end.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    @exclusivity(unchecked) @usableFromInline var a: Shape.A?
    @exclusivity(unchecked) @usableFromInline var b: Shape.B?
    @exclusivity(unchecked) @usableFromInline var c: Shape.C?
    @exclusivity(unchecked) @usableFromInline var d: Shape.D?
    /// The sides that have finished, as one bit per side.
    @exclusivity(unchecked) @usableFromInline var finished: UInt8 = 0
    @exclusivity(unchecked) @usableFromInline var isDelivering = false

    @inlinable
    init(_ downstream: Downstream) {
        self.downstream = downstream
        // Unused sides have their value from the start, so one check of all four serves every arity.
        c = Shape.restC
        d = Shape.restD
        super.init(count: Shape.count) { unsafeDowncast($0, to: LatestConduit<Shape, Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { "CombineLatest" }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            // Combine traps for a request of no values here, too.
            more.requirePositive()
            requestEach(more)
        case .cancel: endAndCancelAll()
        case .drainPending:
            guard demand.isEnded else { return }
            downstream = nil
            // Values are released when the stream ends, not when the conduit is deallocated: a caller that still holds
            // the subscription must not keep them alive.
            a = nil
            b = nil
            c = nil
            d = nil
        }
    }

    @inlinable
    func open() {
        let outermost = enter()
        downstream?.receive(subscription: self)
        exit(outermost)
    }

    @inlinable
    func receive(_ subscription: any Subscription, from index: Int) {
        // Downstream may have requested before this upstream subscribed. `accept` reads the demand under the lock, so
        // that a concurrent request reaches this upstream exactly once.
        if let wanted = accept(subscription, from: index), wanted.rawValue > 0 {
            subscription.request(wanted)
        }
    }

    @inlinable
    func put(_ index: Int, _ keep: (LatestConduit) -> Void) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard !demand.isEnded, let downstream else { return .none }
        // The value is stored before the demand is checked: the latest value counts even if it is not delivered by
        // itself.
        keep(self)
        // A value that arrives from inside a delivery only becomes the latest value of its side, as in Combine.
        // Delivering it would let a stream that feeds itself recurse without end. `take()` comes last, so that no
        // demand is lost on an incomplete tuple.
        guard !isDelivering, let a, let b, let c, let d, demand.take() else { return .none }
        isDelivering = true
        let more = downstream.receive(Shape.make(a, b, c, d))
        isDelivering = false
        // The upstream that delivered gets the demand as the return value; requesting it as well would count it twice.
        if more.rawValue > 0 { requestEach(more, except: index) }
        return more
    }

    @inlinable var sideA: Side<LatestConduit, Shape.A> {
        Side(self, 0) { owner, value in owner.put(0) { $0.a = value } }
    }

    @inlinable var sideB: Side<LatestConduit, Shape.B> {
        Side(self, 1) { owner, value in owner.put(1) { $0.b = value } }
    }

    @inlinable var sideC: Side<LatestConduit, Shape.C> {
        Side(self, 2) { owner, value in owner.put(2) { $0.c = value } }
    }

    @inlinable var sideD: Side<LatestConduit, Shape.D> {
        Side(self, 3) { owner, value in owner.put(3) { $0.d = value } }
    }

    @usableFromInline
    func receive(_ completion: Subscribers.Completion<Downstream.Failure>, from index: Int) {
        let outermost = enter()
        defer { exit(outermost) }
        dropUpstream(index)
        // A bit per side, not a count: an upstream that completes twice must not finish the stream for another one.
        finished |= 1 << UInt8(index)
        switch completion {
        // A side that finishes without a value does not end the stream, as on Apple's platforms.
        case .finished where finished != (1 << UInt8(Shape.count)) - 1: return
        case .finished, .failure:
            // Ending releases `downstream`, so the reference for the completion is taken first.
            let former = downstream
            if endAndCancelAll() { former?.receive(completion: completion) }
        }
    }
}
