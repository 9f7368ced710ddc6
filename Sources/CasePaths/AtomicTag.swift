import Synchronization

/// A tag that is written once and read often, from any thread.
final class AtomicTag: Sendable {
    private let word = Atomic<Int>(-1)

    deinit {
        stayOutOfClients()
    }

    /// The tag, or nil until it has been set.
    var value: Int? {
        get {
            // Relaxed is enough: the tag is the only data, and a reader that misses it takes the slow path. All writers
            // store the same value.
            let tag = word.load(ordering: .relaxed)
            return tag < 0 ? nil : tag
        }
        set { word.store(newValue ?? -1, ordering: .relaxed) }
    }
}

/// Keeps the `deinit` of a class that holds an atomic from being copied into clients, where the compiler (6.3) stumbles
/// over its noncopyable parts.
@_optimize(none)
@inline(never)
private func stayOutOfClients() {}
