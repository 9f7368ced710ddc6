public import Locking

/// Serializes the events of an operator with several sources: one thread at a time, which may reenter.
///
/// As in RxSwift, a thread is inside while it delivers an element, and another thread's element waits for it. Everything
/// else that may wait for another thread happens outside: the disposal of sources, the subscription to others, and the end.
/// A teardown, for example, may wait for a lock whose owner is sending to the same operator.
@usableFromInline
final class Serializer {
    @usableFromInline let gate = Gate()
    /// Used inside the gate. Set once, by the thread that then leaves the gate.
    @exclusivity(unchecked) @usableFromInline var hasEnded = false

    /// Creates a serializer that ends with a subscription's group.
    @inlinable
    init(_ group: CompositeDisposable) {
        group.attach(self)
    }

    /// Runs a closure inside, unless the operator has ended.
    @inlinable
    func run(_ body: () -> Void) {
        let isOutermost = gate.enter()
        if hasEnded {
            if isOutermost { _ = gate.leave() }
            return
        }
        body()
        // Nested calls on the same thread only enter; the outermost one leaves, unless `end()` has.
        if isOutermost, !hasEnded { _ = gate.leave() }
    }

    /// Returns the result of a closure that only reads; nil if the operator has ended.
    func read<Result>(_ body: () -> Result) -> Result? {
        let isOutermost = gate.enter()
        defer { if isOutermost { _ = gate.leave() } }
        return hasEnded ? nil : body()
    }

    /// Ends the operator. If the calling thread is inside, it is outside when this method returns, however deep it is in
    /// nested calls: no event follows, so there is nothing left to serialize. If another thread is inside, this call does
    /// not wait for it.
    @usableFromInline
    func end() {
        if gate.enterOrMark() == .refused { return }
        // Threads that have left after the end may be reading it.
        if !hasEnded { hasEnded = true }
        _ = gate.leave()
    }
}
