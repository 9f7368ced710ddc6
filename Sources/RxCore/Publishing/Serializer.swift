public import Locking

/// Lets one thread at a time do something that calls out; that thread may come in again. Operators that listen to several
/// streams use it, as Rx's do.
@usableFromInline
final class Serializer {
    @usableFromInline let gate = Gate()

    @inlinable
    init() {}

    @inlinable
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isOutermost = gate.enter()
        defer {
            if isOutermost { _ = gate.leave() }
        }
        return try body()
    }
}
