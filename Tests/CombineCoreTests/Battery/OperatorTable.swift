import CombineCore
import CombineTesting

/// The operators of the module, one row each, grouped by source folder.
enum OperatorTable {
    static let rows: [OperatorCase] =
        mapping + filtering + buffering + coding + reducing + debugging + sequencing + errors + sharing + republishing
        + combining + timing
        + erasure

    /// The standard input, unchanged.
    static let all = ["1", "2", "3", "4", "5"]

    /// A publisher that never sends anything.
    static var never: Empty<Int, TestError> { Empty(completeImmediately: false) }
}
