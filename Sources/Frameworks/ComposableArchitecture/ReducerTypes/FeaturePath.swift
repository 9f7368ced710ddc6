/// The position of the running reducer in the tree of features.
///
/// Each `Scope` of a property, `ifLet`, `ifCaseLet` and `forEach` appends a step. The path is part of the cancellation id of a child's
/// effects, so that removing one child does not cancel the effects of the same feature elsewhere in the tree.
struct FeaturePath: Hashable, @unchecked Sendable {
    // Sendable because the steps are key paths and ids, which are immutable values.
    @TaskLocal static var current = FeaturePath()

    private(set) var steps: [AnyHashable] = []

    /// Returns the path with one more step.
    func appending(_ step: AnyHashable) -> FeaturePath {
        var path = self
        path.steps.append(step)
        return path
    }

    /// The path of the innermost child, without properties of `Scope` below it. It is empty in the root feature.
    var ofChild: FeaturePath {
        var path = self
        while let last = path.steps.last, !(last.base is [AnyHashable]) { path.steps.removeLast() }
        return path
    }

    /// Returns whether this is the path of a feature, or of one of its descendants.
    func starts(with other: FeaturePath) -> Bool {
        steps.starts(with: other.steps)
    }

    /// Runs a child's reducer with this path as the current one.
    func run<Result>(_ body: () -> Result) -> Result {
        // Setting a task-local value costs an allocation, and effects are mostly those of the root feature.
        FeaturePath.current == self ? body() : FeaturePath.$current.withValue(self, operation: body)
    }
}
