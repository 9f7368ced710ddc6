import Locking
public import StateCapture

@usableFromInline
struct LatestState<Shape: Bundle>: Codable {
    var a: StoredOptional<Shape.A>
    var b: StoredOptional<Shape.B>
    var c: StoredOptional<Shape.C>
    var d: StoredOptional<Shape.D>
    var finished: UInt8
}

extension LatestConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "combineLatest" }

    @usableFromInline static var valueTypes: [any Any.Type] { Shape.valueTypes }

    @usableFromInline var partState: LatestState<Shape>? {
        state {
            LatestState(
                a: StoredOptional(a), b: StoredOptional(b), c: StoredOptional(c), d: StoredOptional(d),
                finished: finished)
        }
    }

    @usableFromInline
    func restore(_ state: LatestState<Shape>?) {
        guard let state else { return endRestored(downstream) }
        a = state.a.value
        b = state.b.value
        c = state.c.value
        d = state.d.value
        finished = state.finished
        finish(Shape.sides(in: finished))
    }
}

@usableFromInline
struct ZipState<Shape: Bundle>: Codable {
    var a: Queue<Shape.A>
    var b: Queue<Shape.B>
    var c: Queue<Shape.C>
    var d: Queue<Shape.D>
    var finished: UInt8
}

extension ZipConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "zip" }

    @usableFromInline static var valueTypes: [any Any.Type] { Shape.valueTypes }

    @usableFromInline var partState: ZipState<Shape>? {
        state { ZipState(a: a, b: b, c: c, d: d, finished: finished) }
    }

    @usableFromInline
    func restore(_ state: ZipState<Shape>?) {
        guard let state else { return endRestored(downstream) }
        a = state.a
        b = state.b
        c = state.c
        d = state.d
        finished = state.finished
        finish(Shape.sides(in: finished))
    }
}

extension Bundle {
    /// The types of the values of the sides.
    static var valueTypes: [any Any.Type] { [A.self, B.self, C.self, D.self] }

    /// The sides with a bit in a number.
    static func sides(in bits: UInt8) -> [Int] { (0..<count).filter { bits & 1 << UInt8($0) != 0 } }
}

@usableFromInline
struct MergeState<Value>: Codable {
    /// The upstreams that have completed, as one bit for each of the first 64.
    var finished: UInt64
    /// The further upstreams that have completed.
    var others: [Int]
    /// The values that arrived without demand, oldest first.
    var kept: ListState<(Value, Int)>
}

extension MergeConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "merge" }

    @usableFromInline static var valueTypes: [any Any.Type] { [Value.self] }

    @usableFromInline var partState: MergeState<Value>? {
        state {
            var (finished, others) = (UInt64.zero, [Int]())
            lock.lock()
            for index in upstreams.indices where upstreams[index] === FinishedUpstream.shared {
                if index < 64 { finished |= 1 << UInt64(index) } else { others.append(index) }
            }
            lock.unlock()
            return MergeState(
                finished: finished, others: others, kept: ListState(kept.map { ($0.value, $0.index) }))
        }
    }

    @usableFromInline
    func restore(_ state: MergeState<Value>?) {
        guard let state else { return endRestored(downstream) }
        // Not after the wiring, when upstreams may have sent what was requested from them.
        guard let registry = StateRegistry.restoring else { return }
        put(state)
        // What has arrived until then belongs to the first life of the machine.
        registry.afterWiring(order: -1) { self.put(state) }
    }

    private func put(_ state: MergeState<Value>) {
        let outermost = enter()
        defer { exit(outermost) }
        if demand.isEnded { return }
        finish((0..<64).filter { state.finished & 1 << UInt64($0) != 0 } + state.others)
        running = lock.withLock { upstreams.count { $0 !== FinishedUpstream.shared } }
        kept = ContiguousArray(state.kept.values.map { (value: $0.0, index: $0.1) })
    }

    /// Requests the value that an upstream owes, when the machine is wired.
    // Not before: under a build that requested nothing before there was demand, the upstream may be a source with a value that
    // has not been requested. A subject is attached after the wiring, and sends such a value at the next request.
    @usableFromInline
    func requestOwed(from index: Int) {
        StateRegistry.restoring?.afterWiring {
            let outermost = self.enter()
            defer { self.exit(outermost) }
            // Unless the machine was captured while the value waited.
            if !self.kept.contains(where: { $0.index == index }) { self.requestNext(from: index) }
        }
    }
}
