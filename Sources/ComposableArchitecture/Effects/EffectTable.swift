import CombineCore
import Locking

/// The cancellable effects and the throttles of one root store, by id. Guarded by the lock of its ``EffectScope``.
struct EffectTable {
    /// The time at which a value was last delivered, and the value that is waiting.
    struct Throttled {
        var lastTime: Any
        var waiting: Any?
    }

    private var lastNumber = 0
    /// The number of times that an effect with an id started or ended.
    private(set) var changeCount = 0
    private(set) var cancellations: [AnyHashable: [Int: AnyCancellable]] = [:]
    /// Whether effects that a host runs in a restored store may be registered.
    var hasStoredIDs = false
    /// The ids of the running effects that the host stores, by number.
    private var declared: [Int: [CancellationID]] = [:]
    var throttled: [AnyHashable: Throttled] = [:]

    /// Returns a number that is unique among the effects of this table.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// The number of running effects that the host stores, and that a restored store continues.
    var declaredCount: Int { declared.count }

    /// The ids under which there are only effects that the host stores.
    var declaredIDs: Set<AnyHashable> {
        var counts: [AnyHashable: Int] = [:]
        for ids in declared.values { for id in ids { counts[id.value, default: 0] += 1 } }
        return Set(counts.lazy.filter { [cancellations] in cancellations[$0.key]?.count ?? 0 <= $0.value }.map(\.key))
    }

    /// Notes an effect that the host stores. Returns its number.
    mutating func addDeclared(_ ids: [CancellationID]) -> Int {
        changeCount += 1
        let number = nextNumber()
        declared[number] = ids
        return number
    }

    /// Notes that an effect that the host stores has ended.
    mutating func removeDeclared(_ number: Int) {
        if declared.removeValue(forKey: number) != nil { changeCount += 1 }
    }

    mutating func add(_ token: AnyCancellable, id: AnyHashable, number: Int) {
        changeCount += 1
        cancellations[id, default: [:]][number] = token
    }

    /// Removes one effect. Returns its token so that the caller releases it outside the lock.
    mutating func remove(id: AnyHashable, number: Int) -> AnyCancellable? {
        guard let token = cancellations[id]?.removeValue(forKey: number) else { return nil }
        changeCount += 1
        if cancellations[id]?.isEmpty == true { cancellations[id] = nil }
        return token
    }

    /// Removes all effects with the id and returns their tokens in the order in which they were started.
    mutating func take(id: AnyHashable) -> [AnyCancellable] {
        guard let tokens = cancellations.removeValue(forKey: id) else { return [] }
        changeCount += 1
        return tokens.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Removes all effects whose id satisfies `predicate`.
    mutating func take(where predicate: (AnyHashable) -> Bool) -> [AnyCancellable] {
        cancellations.keys.filter(predicate).flatMap { take(id: $0) }
    }

    mutating func takeAll() -> [AnyCancellable] {
        take { _ in true }
    }
}

/// The running effects that were subscribed outside any store, by id and number. The original has a global table of
/// this name, which tests inspect.
var cancellationCancellables: [AnyHashable: [Int: AnyCancellable]] {
    EffectScope.standalone.table.withLock { $0.cancellations }
}
