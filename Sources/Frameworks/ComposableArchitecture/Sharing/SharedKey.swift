public import FoundationEssentials

/// A key that identifies a shared value and determines where it is stored.
///
/// The keys are ``inMemory(_:)``, ``fileStorage(_:)`` and ``appStorage(_:)``. A key with a default value is declared once:
///
/// ```swift
/// extension SharedKey where Self == FileStorageKey<[Entry]>.Default {
///     static var entries: Self { Self[.fileStorage(.documentsDirectory.appending(component: "entries.json")), default: []] }
/// }
///
/// @Shared(.entries) var entries
/// ```
public protocol SharedKey<Value>: Hashable, Sendable {
    /// The type of the value.
    associatedtype Value

    /// The name of the value in its storage. Keys with equal names share a value.
    var name: String { get }

    /// Returns how the value is read and written; nil if it is kept in memory only.
    func access(in storage: InMemoryStorage) -> SharedAccess<Value>?
}

extension SharedKey {
    /// This key with a default value.
    public typealias Default = SharedKeyDefault<Self>
}

/// How the value of a key is read and written.
public struct SharedAccess<Value> {
    /// Reads the value; nil if none exists.
    public let load: () -> Value?
    /// Writes the value.
    public let save: (Value) -> Void

    /// Creates an access of two closures. They may be called on any thread, one call at a time. Of values that follow each other while
    /// one is being written, only the last may be written.
    public init(load: @escaping () -> Value?, save: @escaping (Value) -> Void) {
        self.load = load
        self.save = save
    }
}

/// A key with a default value.
public struct SharedKeyDefault<Base: SharedKey>: SharedKey {
    /// The type of the value.
    public typealias Value = Base.Value

    let base: Base
    let initialValue: @Sendable () -> Base.Value

    /// Returns a key with a default value.
    public static subscript(key: Base, default value: @autoclosure @escaping @Sendable () -> Base.Value) -> Self {
        Self(base: key, initialValue: value)
    }

    /// The name of the value in its storage.
    public var name: String { base.name }

    /// Returns how the value is read and written; nil if it is kept in memory only.
    public func access(in storage: InMemoryStorage) -> SharedAccess<Base.Value>? { base.access(in: storage) }

    /// Returns whether both are the same key.
    public static func == (first: Self, second: Self) -> Bool { first.base == second.base }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(base)
    }
}

/// The key of a value that is kept in memory.
public struct InMemoryKey<Value: Sendable>: SharedKey {
    private let key: String

    fileprivate init(_ key: String) {
        self.key = key
    }

    /// The name of the value in its storage.
    public var name: String { "memory:\(key)" }

    /// Returns nil: the value is kept in memory only.
    public func access(in storage: InMemoryStorage) -> SharedAccess<Value>? { nil }
}

extension SharedKey {
    /// Returns the key of a value that is kept in memory, under a name.
    public static func inMemory<Value>(_ key: String) -> Self where Self == InMemoryKey<Value> {
        InMemoryKey(key)
    }
}

/// The key of a value that is kept in a file, as JSON.
public struct FileStorageKey<Value: Codable & Sendable>: SharedKey {
    private let url: URL

    fileprivate init(_ url: URL) {
        self.url = url
    }

    /// The name of the value in its storage.
    public var name: String { "file:\(url.absoluteString)" }

    /// Returns how the file is read and written; nil in a hosted session, unless its store overrides `defaultFileStorage`.
    public func access(in storage: InMemoryStorage) -> SharedAccess<Value>? {
        guard let files = DependencyValues.current.fileStorage(isOfSession: storage.isOfSession) else { return nil }
        return SharedAccess {
            guard let data = files.load(url) else { return nil }
            do {
                return try JSONDecoder().decode(Value.self, from: data)
            } catch {
                Issues.report(
                    "expected the file \(url.lastPathComponent) to contain a \(Value.self): \(error)",
                    summary: "expected a file of shared state to contain another type", severity: .warning)
                return nil
            }
        } save: { value in
            do {
                files.save(try JSONEncoder().encode(value), url)
            } catch {
                Issues.report(
                    "a \(Value.self) cannot be encoded for \(url.lastPathComponent): \(error)",
                    summary: "a shared value cannot be encoded", severity: .warning)
            }
        }
    }
}

extension SharedKey {
    /// Returns the key of a value that is kept in a file, as JSON.
    ///
    /// In a hosted session, the file is not read or written unless the store of the session overrides `defaultFileStorage`: the value
    /// belongs to the session, and is stored with it.
    public static func fileStorage<Value>(_ url: URL) -> Self where Self == FileStorageKey<Value> {
        FileStorageKey(url)
    }
}
