import CombineCore
import Locking

/// What is known of the effects that an id was given to. Guarded by the lock of its ``EffectHome``.
struct EffectTables {
    /// When something was last let through, and what is waiting.
    struct Throttled {
        var lastTime: Any
        var waiting: Any?
    }

    private var lastNumber = 0
    private(set) var cancellations: [AnyHashable: [Int: AnyCancellable]] = [:]
    var throttled: [AnyHashable: Throttled] = [:]

    /// A number that no effect of this home has had.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ token: AnyCancellable, id: AnyHashable, number: Int) {
        cancellations[id, default: [:]][number] = token
    }

    /// Takes one effect out. The token is returned so that it is not freed under the lock.
    mutating func remove(id: AnyHashable, number: Int) -> AnyCancellable? {
        guard let token = cancellations[id]?.removeValue(forKey: number) else { return nil }
        if cancellations[id]?.isEmpty == true { cancellations[id] = nil }
        return token
    }

    /// Takes out everything that has the id, in the order in which it was started.
    mutating func take(id: AnyHashable) -> [AnyCancellable] {
        guard let tokens = cancellations.removeValue(forKey: id) else { return [] }
        return tokens.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Takes out everything whose id satisfies `predicate`.
    mutating func take(where predicate: (AnyHashable) -> Bool) -> [AnyCancellable] {
        cancellations.keys.filter(predicate).flatMap { take(id: $0) }
    }

    mutating func takeAll() -> [AnyCancellable] {
        take { _ in true }
    }
}

/// The running effects of those that were subscribed outside of any store, by their ids and then by a number.
var cancellationCancellables: [AnyHashable: [Int: AnyCancellable]] {
    EffectHome.outside.tables.withLock { $0.cancellations }
}
