import Locking
import Synchronization

/// A tag that is written once and read often, from any thread.
final class AtomicTag: Sendable {
    private let word = AtomicProperty<Int>(-1)

    /// Nil until it has been set.
    var value: Int? {
        get {
            let tag = word.atomic.load(ordering: .relaxed)
            return tag < 0 ? nil : tag
        }
        set { word.atomic.store(newValue ?? -1, ordering: .relaxed) }
    }
}
