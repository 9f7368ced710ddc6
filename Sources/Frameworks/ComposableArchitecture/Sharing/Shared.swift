public import CombineCore
import Locking

/// A property whose value other features see and change, too.
///
/// ```swift
/// struct State {
///     @Shared var total: Int                                    // given by the parent: State(total: $total)
///     @Shared(.inMemory("draft")) var draft = ""                // found by a name
///     @Shared(.fileStorage(url)) var entries: [Entry] = []      // kept in a file
/// }
///
/// state.$total.withLock { $0 += 1 }
/// ```
///
/// In a hosted session, only the features of that session share a value, whatever its key is. Its values are captured and restored with
/// the session, and files are not read or written; see `Docs/machines.md`.
@dynamicMemberLookup
@propertyWrapper
public struct Shared<Value> {
    let box: SharedBox<Value>

    init(box: SharedBox<Value>) {
        self.box = box
    }

    /// Creates a value to share. Pass the property's projection, or this value, to other features.
    public init(value: Value) {
        let storage = InMemoryStorage.current
        self.init(box: SharedBox(whole: storage.makeRoot(value)))
    }

    /// Creates a property that shares the value of another one: `State(total: $total)`.
    public init(projectedValue: Shared) {
        self = projectedValue
    }

    /// Creates a property that shares the value of a key.
    ///
    /// - Parameters:
    ///   - wrappedValue: The value if none exists for the key.
    ///   - key: The key.
    public init<Key: SharedKey>(wrappedValue: @autoclosure () -> Value, _ key: Key) where Key.Value == Value {
        self.init(box: SharedBox(whole: InMemoryStorage.current.root(of: key, initialValue: wrappedValue)))
    }

    /// Creates a property that shares the value of a key with a default value.
    public init<Base: SharedKey>(_ key: SharedKeyDefault<Base>) where Base.Value == Value {
        self.init(wrappedValue: key.initialValue(), key.base)
    }

    /// Creates a property that shares the value of a key with a default value. The value of the property is not used.
    public init<Base: SharedKey>(wrappedValue: @autoclosure () -> Value, _ key: SharedKeyDefault<Base>)
    where Base.Value == Value {
        self.init(key)
    }

    /// Creates a property that shares the value of a key, or nil.
    public init<Key: SharedKey, Wrapped>(_ key: Key) where Key.Value == Value, Value == Wrapped? {
        self.init(wrappedValue: nil, key)
    }

    /// Creates a property of the wrapped value of another one. Returns nil if that is nil.
    ///
    /// If it becomes nil later, this property keeps the last value, and changes are dropped.
    public init?(_ base: Shared<Value?>) {
        guard let initial = base.wrappedValue else { return nil }
        let last = Lock(UnsafeTransfer(initial))
        self.init(
            box: base.box.derived(
                get: { value in
                    guard let value else { return last.withLock { $0 }.value }
                    let known = UnsafeTransfer(value)
                    last.withLock { $0 = known }
                    return value
                },
                set: { value, new in
                    guard value != nil else { return }
                    let known = UnsafeTransfer(new)
                    last.withLock { $0 = known }
                    value = new
                }))
    }

    /// The value. Change it with ``withLock(_:)``.
    public var wrappedValue: Value { box.value }

    /// The property itself, to pass to other features.
    public var projectedValue: Shared {
        get { self }
        set { self = newValue }
    }

    /// Changes the value with exclusive access, so that changes of other threads are not lost. If the closure throws, the value stays.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try box.modify(body)
    }

    /// A property of a member of the value: `$settings.isOn`.
    public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Shared<Member> {
        let path = UnsafeTransfer(keyPath)
        return Shared<Member>(
            box: box.derived(get: { $0[keyPath: path.value] }, set: { $0[keyPath: path.value] = $1 }))
    }

    /// The values: the current one, and each new one.
    public var publisher: some Publisher<Value, Never> {
        let box = box
        return Deferred {
            let subject = CurrentValueSubject<Value, Never>(uncaptured: box.value)
            let token = box.addObserver { subject.send($0) }
            return subject.handleEvents(receiveCancel: { token.cancel() })
        }
    }
}

extension Shared: Equatable where Value: Equatable {
    /// Returns whether both values are equal.
    public static func == (first: Shared, second: Shared) -> Bool { first.wrappedValue == second.wrappedValue }
}

extension Shared: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}

extension Shared: Sendable where Value: Sendable {}

extension Shared: Identifiable where Value: Identifiable {
    /// The id of the value.
    public var id: Value.ID { wrappedValue.id }
}

extension Shared: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Shared: CustomDebugOutputConvertible {
    /// The output of the value.
    public var debugOutput: String { ComposableArchitecture.debugOutput(wrappedValue) }
}

extension Shared: CustomDumpRepresentable {
    /// The value.
    public var customDumpValue: Any { wrappedValue }
}

/// A property whose value other features see and change, and which this feature only reads.
@dynamicMemberLookup
@propertyWrapper
public struct SharedReader<Value> {
    let box: SharedBox<Value>

    /// Creates a property that reads the value of another one.
    public init(_ base: Shared<Value>) {
        box = base.box
    }

    /// Creates a property that reads the value of another one.
    public init(projectedValue: SharedReader) {
        self = projectedValue
    }

    /// Creates a property that reads the value of a key.
    public init<Key: SharedKey>(wrappedValue: @autoclosure () -> Value, _ key: Key) where Key.Value == Value {
        self.init(Shared(wrappedValue: wrappedValue(), key))
    }

    /// Creates a property that reads the value of a key with a default value.
    public init<Base: SharedKey>(_ key: SharedKeyDefault<Base>) where Base.Value == Value {
        self.init(Shared(key))
    }

    /// The value.
    public var wrappedValue: Value { box.value }

    /// The property itself, to pass to other features.
    public var projectedValue: SharedReader { self }

    /// A property that reads a member of the value.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member> {
        let path = UnsafeTransfer(keyPath)
        return SharedReader<Member>(box: box.derived(get: { $0[keyPath: path.value] }, set: { _, _ in }))
    }

    private init(box: SharedBox<Value>) {
        self.box = box
    }
}

extension SharedReader: Equatable where Value: Equatable {
    /// Returns whether both values are equal.
    public static func == (first: SharedReader, second: SharedReader) -> Bool {
        first.wrappedValue == second.wrappedValue
    }
}

extension SharedReader: Sendable where Value: Sendable {}

extension SharedReader: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
