import Locking
import Synchronization

/// A tag that is written once and read often, from any thread.
final class AtomicTag: Sendable {
    private let word = AtomicProperty<Int>(-1)

    /// The tag, or nil until it has been set.
    var value: Int? {
        get {
            // Relaxed is enough: the tag is the only data, and a reader that misses it takes the slow path. All writers
            // store the same value.
            let tag = word.atomic.load(ordering: .relaxed)
            return tag < 0 ? nil : tag
        }
        set { word.atomic.store(newValue ?? -1, ordering: .relaxed) }
    }
}
