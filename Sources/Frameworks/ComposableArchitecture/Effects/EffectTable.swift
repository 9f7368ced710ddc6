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
    /// The features that have started effects, by number. The root feature is left out.
    private var owners: [Int: EffectOwner] = [:]
    /// The effects that are being subscribed to, by number.
    private var starting: Set<Int> = []
    /// How many effects and dismissals each child has, and which began to have some first, by place and id.
    private var children: [ChildPlace: [AnyHashable: (count: Int, order: Int)]] = [:]
    /// The closures that dismiss the children, by the paths of the children.
    private var dismissals: [FeaturePath: (child: ChildID, send: () -> Void)] = [:]
    /// The number of ids of effects that a host runs in a restored store.
    private var storedCount = 0
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

    /// Notes that an effect is being subscribed to. Effects of which it consists do not replace it.
    mutating func beginStart(_ number: Int) {
        starting.insert(number)
    }

    /// Notes that an effect has been subscribed to.
    mutating func endStart(_ number: Int) {
        starting.remove(number)
    }

    mutating func add(_ token: AnyCancellable, id: AnyHashable, number: Int, owner: EffectOwner) {
        changeCount += 1
        cancellations[id, default: [:]][number] = token
        if case .feature(let path) = owner, path.steps.isEmpty {} else { owners[number] = owner }
        count(1, of: id)
    }

    /// Removes one effect. Returns its token so that the caller releases it outside the lock.
    mutating func remove(id: AnyHashable, number: Int) -> AnyCancellable? {
        guard let token = cancellations[id]?.removeValue(forKey: number) else { return nil }
        changeCount += 1
        owners[number] = nil
        if cancellations[id]?.isEmpty == true { cancellations[id] = nil }
        count(-1, of: id)
        return token
    }

    /// Removes all effects with the id that a feature or its descendants have started, and returns their tokens in the
    /// order in which they were started.
    ///
    /// - Parameter sparesStarting: Whether effects that are being subscribed to remain.
    mutating func take(id: AnyHashable, in path: FeaturePath, sparesStarting: Bool = false) -> [AnyCancellable] {
        let dismissals = (id.base as? ChildID).map { takeDismissals(under: $0.path) } ?? []
        let tokens =
            cancellations[id]?.filter { number, _ in
                (owners[number] ?? .root).isPart(of: path) && !(sparesStarting && starting.contains(number))
            } ?? [:]
        if tokens.isEmpty { return dismissals }
        changeCount += 1
        for number in tokens.keys {
            cancellations[id]?[number] = nil
            owners[number] = nil
        }
        if cancellations[id]?.isEmpty == true { cancellations[id] = nil }
        count(-tokens.count, of: id)
        return tokens.sorted { $0.key < $1.key }.map(\.value) + dismissals
    }

    mutating func takeAll() -> [AnyCancellable] {
        Array(cancellations.keys).flatMap { take(id: $0, in: FeaturePath()) }
    }
}

/// The children that exist as far as the store's effects show.
extension EffectTable {
    /// Whether effects that a host runs in a restored store are registered.
    var hasStoredIDs: Bool { storedCount > 0 }

    /// Whether a child may have to be compared with the state.
    var hasChildren: Bool { !children.isEmpty || hasStoredIDs }

    /// Returns the ids of the children at a place that have running effects or can be dismissed, in the order in which
    /// they began to.
    func children(at place: ChildPlace) -> [AnyHashable] {
        // Sorted, because the order in which effects end must not depend on hashing.
        children[place]?.sorted { $0.value.order < $1.value.order }.map(\.key) ?? []
    }

    /// Returns the names that belong to children at a place, of the effects that a host runs in a restored store.
    func storedNames(at place: ChildPlace) -> [String] {
        guard hasStoredIDs, let prefix = place.namePrefix else { return [] }
        return cancellations.keys.compactMap { ($0.base as? StoredID)?.name }.filter { $0.hasPrefix(prefix) }
            .sorted()
    }

    func canDismiss(_ path: FeaturePath) -> Bool { dismissals[path] != nil }

    /// Stores what dismisses a child.
    mutating func addDismissal(of child: ChildID, _ send: @escaping () -> Void) {
        guard !canDismiss(child.path) else { return }
        dismissals[child.path] = (child, send)
        count(1, of: child)
    }

    /// Removes and returns what dismisses the child at a path.
    mutating func takeDismissal(at path: FeaturePath) -> (() -> Void)? {
        guard let (child, send) = dismissals.removeValue(forKey: path) else { return nil }
        count(-1, of: child)
        return send
    }

    /// Removes what dismisses a child and its descendants. The result only has to be released outside of the lock.
    private mutating func takeDismissals(under path: FeaturePath) -> [AnyCancellable] {
        dismissals.keys.filter { $0.starts(with: path) }
            .compactMap { takeDismissal(at: $0) }.map { send in AnyCancellable { _ = send } }
    }

    private mutating func count(_ change: Int, of id: AnyHashable) {
        if id.base is StoredID { storedCount += change }
        guard let child = id.base as? ChildID else { return }
        var entry = children[child.place]?[child.id] ?? (0, nextNumber())
        entry.count += change
        children[child.place, default: [:]][child.id] = entry.count > 0 ? entry : nil
        if children[child.place]?.isEmpty == true { children[child.place] = nil }
    }
}

/// The running effects that were subscribed outside any store, by id and number. The original has a global table of
/// this name, which tests inspect.
var cancellationCancellables: [AnyHashable: [Int: AnyCancellable]] {
    EffectScope.standalone.table.withLock { $0.cancellations }
}
