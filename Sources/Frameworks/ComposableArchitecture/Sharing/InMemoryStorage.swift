import CombineCore
import Locking
import StateCapture

/// The shared values of a hosted session, or of a program.
///
/// A session has one of its own, which no dependency replaces. Outside of sessions, all stores use the same one, unless the dependency
/// `defaultInMemoryStorage` is overridden, as for a test.
public final class InMemoryStorage: Sendable {
    private struct State {
        var roots: [String: SharedRoot] = [:]
        /// The values of keys that were restored, until a property asks for them.
        var restored: [String: String] = [:]
        var numbered = WeakTable<Int, SharedRoot, Void>()
        var nextNumber = 0
        var encoders: [String: UnsafeTransfer<(Any) -> String?>] = [:]
        var decoders: [String: UnsafeTransfer<(String) -> Any?>] = [:]
        var savers: [String: UnsafeTransfer<(Any) -> Void>] = [:]
        var lastObserver = 0
        var observers: [Int: UnsafeTransfer<() -> Void>] = [:]
        var isCaptured = false
    }

    private let state = Lock(State())
    /// Whether the storage is that of a hosted session, so that files are not read or written by default.
    let isOfSession: Bool

    /// Creates an empty storage.
    public init() {
        isOfSession = false
    }

    init(ofSession: Void) {
        isOfSession = true
    }

    /// The storage of the session or of the program that runs the caller.
    static var current: InMemoryStorage { ofSession ?? DependencyValues.current.defaultInMemoryStorage }

    /// The storage of the session whose code the caller is; nil outside of sessions.
    static var ofSession: InMemoryStorage? {
        EffectScope.current?.sessionStorage ?? MainContext.current.map { SessionScopes.storage(of: $0) }
            // A closure that runs elsewhere has neither, only the dependencies of its session.
            ?? DependencyValues.bound?.sessionStorage
    }

    /// Creates the root of a value that no key identifies.
    func makeRoot<Value>(_ value: Value) -> SharedRoot {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        return keep(SharedRoot(value, number: number, name: nil, storage: self))
    }

    /// Returns the root with a number, which a restored property refers to. Creates it if none exists, or if it has another type.
    func root<Value>(numbered number: Int, restoring value: Value) -> SharedRoot {
        let known = state.withLock { state in
            state.nextNumber = max(state.nextNumber, number + 1)
            return state.numbered[number]?.object
        }
        if let known, known.type == Value.self {
            known.restore(value)
            return known
        }
        return keep(SharedRoot(value, number: number, name: nil, storage: self))
    }

    private func keep(_ root: SharedRoot) -> SharedRoot {
        _ = state.withLock { $0.numbered.insert(root, (), for: root.number) }
        return root
    }

    func root<Key: SharedKey>(of key: Key, initialValue: () -> Key.Value) -> SharedRoot {
        let name = key.name
        if let known = known(name, as: Key.Value.self) {
            // A restored property has found the root before, without its key.
            if !hasSaver(name), let access = key.access(in: self) { add(access, name) }
            return known
        }
        // Outside of the lock: the default value and the file are read by code that may share values itself.
        let access = key.access(in: self)
        let value = restored(name, as: Key.Value.self) ?? access?.load() ?? initialValue()
        let root = add(name, value)
        if let access { add(access, name) }
        return root
    }

    /// Returns the root with a name, which a restored property refers to.
    func root<Value>(named name: String, restoring value: Value) -> SharedRoot {
        if let known = known(name, as: Value.self) {
            known.restore(value)
            return known
        }
        return add(name, restored(name, as: Value.self) ?? value)
    }

    private func known<Value>(_ name: String, as type: Value.Type) -> SharedRoot? {
        guard let known = state.withLock({ $0.roots[name] }), known.type == type else { return nil }
        return known
    }

    private func hasSaver(_ name: String) -> Bool { state.withLock { $0.savers[name] != nil } }

    private func add<Value>(_ access: SharedAccess<Value>, _ name: String) {
        let save = UnsafeTransfer { (value: Any) -> Void in
            if let value = value as? Value { access.save(value) }
        }
        state.withLock { $0.savers[name] = save }
    }

    /// Writes the value of a root where its key says.
    func save(_ value: Any, of root: SharedRoot) {
        guard let name = root.name else { return }
        state.withLock { $0.roots[name] === root ? $0.savers[name] : nil }?.value(value)
    }

    private func add<Value>(_ name: String, _ value: Value) -> SharedRoot {
        let codec = KnownCodecs.codec(of: Value.self)
        let encode = UnsafeTransfer { (value: Any) -> String? in
            guard let codec, let value = value as? Value else { return nil }
            var json: [UInt8] = []
            guard (try? codec.encode(value, &json)) != nil else { return nil }
            return String(decoding: json, as: UTF8.self)
        }
        let decode = UnsafeTransfer { (text: String) -> Any? in try? codec?.restore(Array(text.utf8)[...]) }
        let root = SharedRoot(value, number: -1, name: name, storage: self)
        let (kept, other) = state.withLock { state -> (SharedRoot, (any Any.Type)?) in
            if let known = state.roots[name] {
                // If another thread was faster, its value wins, so that all share one.
                return known.type == Value.self ? (known, nil) : (root, known.type)
            }
            state.roots[name] = root
            state.encoders[name] = encode
            state.decoders[name] = decode
            return (root, nil)
        }
        if let other {
            Issues.report(
                "expected the shared value \"\(name)\" to have one type, got \(other) and \(Value.self): it is not shared",
                severity: .warning)
        }
        return kept
    }

    private func restored<Value>(_ name: String, as type: Value.Type) -> Value? {
        guard let text = state.withLock({ $0.restored.removeValue(forKey: name) }) else { return nil }
        return try? KnownCodecs.codec(of: type)?.restore(Array(text.utf8)[...])
    }

    /// The values of keys as text, in the order of the keys; nil if there are none.
    var stored: [StoredShared]? {
        if state.withLock({ $0.roots.isEmpty && $0.restored.isEmpty }) { return nil }
        let (entries, restored) = state.withLock { state in
            let entries = state.roots.map { (name: $0.key, root: $0.value, encode: state.encoders[$0.key]) }
            return (entries, state.restored)
        }
        var found = restored.map { StoredShared(key: $0.key, value: $0.value) }
        for entry in entries {
            guard let text = entry.encode?.value(entry.root.actual) else { continue }
            found.append(StoredShared(key: entry.name, value: text))
        }
        return found.isEmpty ? nil : found.sorted { $0.key < $1.key }
    }

    /// Puts restored values in place.
    func restore(_ stored: [StoredShared]) {
        for entry in stored {
            let known = state.withLock { ($0.roots[entry.key], $0.decoders[entry.key]) }
            if let root = known.0, let value = known.1?.value(entry.value) {
                root.restore(value)
            } else {
                state.withLock { $0.restored[entry.key] = entry.value }
            }
        }
    }

    /// Returns true once, to the store that captures the values of keys.
    func claimCapture() -> Bool {
        state.withLock { state in
            defer { state.isCaptured = true }
            return !state.isCaptured
        }
    }

    /// Calls a closure after each change of a value of this storage. Returns a token that ends this.
    func observe(_ observer: @escaping () -> Void) -> AnyCancellable {
        let observer = UnsafeTransfer(observer)
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = observer
            return state.lastObserver
        }
        return AnyCancellable { [weak self] in
            let removed = self?.state.withLock { $0.observers.removeValue(forKey: number) }
            withExtendedLifetime(removed?.value) {}
        }
    }

    func notify() {
        let observers = state.withLock { state in state.observers.sorted { $0.key < $1.key }.map(\.value) }
        for observer in observers { observer.value() }
    }
}

extension InMemoryStorage: Hashable {
    /// Returns whether both are the same storage.
    public static func == (first: InMemoryStorage, second: InMemoryStorage) -> Bool { first === second }

    /// Hashes the identity of the storage.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// The value of a key as it is stored with a session.
struct StoredShared: Codable, Equatable {
    let key: String
    /// JSON text.
    let value: String
}

private enum InMemoryStorageKey: DependencyKey {
    private static let ofProgram = InMemoryStorage()

    static var liveValue: InMemoryStorage { ofProgram }
    static var testValue: InMemoryStorage { InMemoryStorage() }
}

extension DependencyValues {
    /// The storage of shared values outside of hosted sessions. A test store has one of its own unless this is overridden.
    public var defaultInMemoryStorage: InMemoryStorage {
        get { self[InMemoryStorageKey.self] }
        set { self[InMemoryStorageKey.self] = newValue }
    }

    /// Gives the values a storage of their own, unless they have one.
    mutating func separateStorage() {
        if !isOverridden(InMemoryStorageKey.self) { defaultInMemoryStorage = InMemoryStorage() }
    }
}
