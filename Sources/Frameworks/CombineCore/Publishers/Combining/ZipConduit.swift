/// The conduit behind `zip`.
///
/// Downstream demand is requested from every upstream, so that neither its deliveries nor its buffered values exceed
/// the demand. Values are buffered per side until each side has one.
@usableFromInline
final class ZipConduit<Shape: Bundle, Downstream: Subscriber>: UpstreamsConduit, SidedConduit
where Downstream.Input == Shape.Output {
    /// These are accessed inside the gate, and released after the end.
    @exclusivity(unchecked) @usableFromInline var downstream: Downstream?
    @exclusivity(unchecked) @usableFromInline var a = Queue<Shape.A>()
    @exclusivity(unchecked) @usableFromInline var b = Queue<Shape.B>()
    @exclusivity(unchecked) @usableFromInline var c = Queue<Shape.C>()
    @exclusivity(unchecked) @usableFromInline var d = Queue<Shape.D>()
    /// The sides that have finished, as one bit per side.
    @exclusivity(unchecked) @usableFromInline var finished: UInt8 = 0
    /// Whether a tuple is being delivered. Accessed inside the gate.
    @exclusivity(unchecked) @usableFromInline var isDelivering = false

    @inlinable
    init(_ downstream: Downstream) {
        self.downstream = downstream
        super.init(count: Shape.count) { unsafeDowncast($0, to: ZipConduit<Shape, Downstream>.self).handle($1) }
    }

    @usableFromInline override var description: String { "Zip" }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            // Combine traps for a request of no values here, too.
            more.requirePositive()
            requestEach(more)
            // Tuples wait if upstreams have sent more than was requested, as `replaceEmpty` does.
            drainOrMark()
        case .cancel: endAndCancelAll()
        case .drainPending:
            guard demand.isEnded else {
                if !isDelivering { deliver() }
                return
            }
            downstream = nil
            // Buffered values are released when the stream ends, even if the subscription is retained longer.
            a = Queue()
            b = Queue()
            c = Queue()
            d = Queue()
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
        if let wanted = accept(subscription, from: index), wanted.rawValue > 0 {
            subscription.request(wanted)
        }
    }

    @inlinable
    func put(_ index: Int, _ keep: (ZipConduit) -> Void) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard !demand.isEnded else { return .none }
        // Stored without a demand check: this value was requested from upstream, and its side may be ahead of the
        // others.
        keep(self)
        return deliver(from: index)
    }

    /// Delivers the tuples that downstream has requested. Runs inside the gate.
    ///
    /// - Returns: The demand for the upstream at `index`, which has delivered a value.
    @inlinable
    @discardableResult
    func deliver(from index: Int = -1) -> Subscribers.Demand {
        var returned = Subscribers.Demand.none
        // The count is a constant of the shape, so the checks of unused sides vanish when this is specialized.
        while !a.isEmpty, !b.isEmpty, Shape.count < 3 || !c.isEmpty, Shape.count < 4 || !d.isEmpty, let downstream,
            demand.take()
        {
            // All values leave the queues before downstream runs, so a re-entrant delivery pairs the next ones and not
            // these again.
            guard let a = a.removeFirst(), let b = b.removeFirst(), let c = Shape.restC ?? c.removeFirst(),
                let d = Shape.restD ?? d.removeFirst()
            else { break }
            let wasDelivering = isDelivering
            isDelivering = true
            let more = downstream.receive(Shape.make(a, b, c, d))
            isDelivering = wasDelivering
            // The stream finishes with the last possible tuple, not when another upstream happens to deliver.
            if finished != 0, hasRunDry() {
                complete(.finished)
                return .none
            }
            guard more.rawValue > 0 else { continue }
            // The upstream that delivered gets the demand as the return value; requesting it as well would count it
            // twice.
            requestEach(more, except: index)
            returned += more
        }
        return returned
    }

    @inlinable var sideA: Side<ZipConduit, Shape.A> {
        Side(self, 0) { owner, value in owner.put(0) { $0.a.append(value) } }
    }

    @inlinable var sideB: Side<ZipConduit, Shape.B> {
        Side(self, 1) { owner, value in owner.put(1) { $0.b.append(value) } }
    }

    @inlinable var sideC: Side<ZipConduit, Shape.C> {
        Side(self, 2) { owner, value in owner.put(2) { $0.c.append(value) } }
    }

    @inlinable var sideD: Side<ZipConduit, Shape.D> {
        Side(self, 3) { owner, value in owner.put(3) { $0.d.append(value) } }
    }

    @usableFromInline
    func receive(_ completion: Subscribers.Completion<Downstream.Failure>, from index: Int) {
        let outermost = enter()
        defer { exit(outermost) }
        switch completion {
        case .finished:
            dropUpstream(index)
            finished |= 1 << UInt8(index)
            if hasRunDry() { complete(.finished) }
        // A failure ends the stream immediately: buffered values are dropped, and the side that has failed is cancelled like
        // the others, as in Combine.
        case .failure: complete(completion)
        }
    }

    /// Whether a finished side has no buffered value, so that no further tuple is possible.
    @usableFromInline
    func hasRunDry() -> Bool {
        (finished & 1 != 0 && a.isEmpty) || (finished & 2 != 0 && b.isEmpty) || (finished & 4 != 0 && c.isEmpty)
            || (finished & 8 != 0 && d.isEmpty)
    }

    @usableFromInline
    func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
        // Ending releases `downstream`, so the reference for the completion is taken first.
        let former = downstream
        if endAndCancelAll() { former?.receive(completion: completion) }
    }
}
