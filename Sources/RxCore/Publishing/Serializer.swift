public import Locking

/// Serializes calls that run foreign code: one thread at a time, which may reenter. Operators with several sources use
/// it.
@usableFromInline
final class Serializer {
    @usableFromInline let gate = Gate()

    @inlinable
    init() {}

    @inlinable
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isOutermost = gate.enter()
        defer {
            // Nested calls on the same thread only enter; the outermost one leaves.
            if isOutermost { _ = gate.leave() }
        }
        return try body()
    }
}
