import Dispatch
import Locking

extension MachineDefinition {
    /// Creates definitions on all processors: each reads the metadata of its types, which takes milliseconds.
    ///
    /// - Parameter makers: Each creates some of the definitions, on any thread.
    /// - Returns: The definitions in the order of the closures.
    /// - Throws: The error of the first closure that throws one.
    package static func concurrently(
        _ makers: [@Sendable () throws -> [MachineDefinition]]
    ) throws -> [MachineDefinition] {
        // Untyped errors: the compiler crashes while it emits closures that throw `MachineRegistrationError`, last seen in Swift 6.3.1.
        let results = Lock<[Int: Result<[MachineDefinition], any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: makers.count) { index in
            let result = Result { try makers[index]() }
            results.withLock { $0[index] = result }
        }
        assert(results.withLock { $0.count } == makers.count, "expected a result of each of \(makers.count) closures")
        var machines: [MachineDefinition] = []
        for (_, result) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { machines += try result.get() }
        return machines
    }
}
