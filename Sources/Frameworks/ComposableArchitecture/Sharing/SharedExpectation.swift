import Locking

/// The shared values that a test expects. While an expectation is evaluated, properties read and write these instead of the actual
/// values.
final class SharedExpectation: Sendable {
    @TaskLocal static var current: SharedExpectation?

    private struct Entry {
        let root: SharedRoot
        var value: UnsafeTransfer<Any>
    }

    private let entries: Lock<[ObjectIdentifier: Entry]>
    /// The values after the step that is tested, where the actual ones may be ahead of it.
    private let reached: [ObjectIdentifier: UnsafeTransfer<Any>]

    /// - Parameters:
    ///   - changes: The changes by the step that is tested.
    ///   - later: The changes by actions that the test has not received yet, the earliest first.
    init(_ changes: [SharedChange], later: [SharedChange]) {
        entries = Lock(
            Dictionary(changes.map { (ObjectIdentifier($0.root), Entry(root: $0.root, value: $0.before)) }) { $1 })
        let values = changes.map { ($0.root, $0.after) } + later.map { ($0.root, $0.before) }
        reached = Dictionary(values.map { (ObjectIdentifier($0), $1) }) { first, _ in first }
    }

    func value(of root: SharedRoot) -> Any {
        entries.withLock { $0[ObjectIdentifier(root)]?.value }?.value ?? reachedValue(of: root)
    }

    /// Returns the value after the step that is tested.
    func reachedValue(of root: SharedRoot) -> Any {
        reached[ObjectIdentifier(root)]?.value ?? root.actual
    }

    func modify<Result>(_ root: SharedRoot, _ body: (inout Any) throws -> Result) rethrows -> Result {
        var value = value(of: root)
        let result = try body(&value)
        let entry = Entry(root: root, value: UnsafeTransfer(value))
        entries.withLock { $0[ObjectIdentifier(root)] = entry }
        return result
    }

    /// The expected values, in the order in which their roots were created.
    var expected: [(root: SharedRoot, value: Any)] {
        entries.withLock { $0.values.sorted { $0.root.number < $1.root.number } }.map { ($0.root, $0.value.value) }
    }
}

/// A shared value that a step has changed.
struct SharedChange: Sendable {
    let root: SharedRoot
    let before: UnsafeTransfer<Any>
    var after: UnsafeTransfer<Any>

    /// The change as if the value had been the new one before, for a test that states only a part of what happens.
    var settled: SharedChange { SharedChange(root: root, before: after, after: after) }
}

/// The shared values that the reducers and effects of a store under test have changed.
final class SharedChanges: Sendable {
    private let changes = Lock<[ObjectIdentifier: SharedChange]>([:])

    func note(_ root: SharedRoot, _ before: Any) {
        let (before, after) = (UnsafeTransfer(before), UnsafeTransfer(root.actual))
        changes.withLock { changes in
            let id = ObjectIdentifier(root)
            if changes[id] == nil { changes[id] = SharedChange(root: root, before: before, after: after) }
            changes[id]?.after = after
        }
    }

    /// Returns the changes since the last call. Changes of the given roots are left to a later call.
    func take(except roots: [SharedRoot] = []) -> [SharedChange] {
        changes.withLock { changes in
            let left = changes.filter { _, change in roots.contains { $0 === change.root } }
            let taken = changes.values.filter { left[ObjectIdentifier($0.root)] == nil }
            changes = left
            return taken.sorted { $0.root.number < $1.root.number }
        }
    }
}
