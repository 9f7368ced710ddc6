import Foundation
import Locking

/// The key of a value of the user's settings.
public struct AppStorageKey<Value: Codable & Sendable>: SharedKey {
    private let key: String

    fileprivate init(_ key: String) {
        self.key = key
    }

    /// The name of the value in its storage.
    public var name: String { "app:\(key)" }

    /// Returns how the setting is read and written; nil in a hosted session, unless its store overrides `defaultAppStorage`.
    public func access(in storage: InMemoryStorage) -> SharedAccess<Value>? {
        guard let settings = DependencyValues.current.appStorage(isOfSession: storage.isOfSession) else { return nil }
        return SharedAccess {
            guard let text = settings.load(key) else { return nil }
            // In an array, because texts and numbers alone are no JSON documents for all decoders.
            return try? JSONDecoder().decode([Value].self, from: Data(text.utf8)).first
        } save: { value in
            guard let data = try? JSONEncoder().encode([value]) else { return }
            settings.save(String(decoding: data, as: UTF8.self), key)
        }
    }
}

extension SharedKey {
    /// Returns the key of a value of the user's settings.
    ///
    /// In a hosted session, the settings of the process are not read or written unless the store of the session overrides
    /// `defaultAppStorage`: the value belongs to the session, and is stored with it.
    public static func appStorage<Value>(_ key: String) -> Self where Self == AppStorageKey<Value> {
        AppStorageKey(key)
    }
}

/// Where the values of ``SharedKey/appStorage(_:)`` are.
public struct AppStorage: Sendable {
    let load: @Sendable (String) -> String?
    let save: @Sendable (String, String) -> Void

    /// The settings of the process's user, as `UserDefaults` keeps them.
    public static let userDefaults = AppStorage(
        load: { UserDefaults.standard.string(forKey: $0) },
        save: { UserDefaults.standard.set($0, forKey: $1) })

    /// Returns settings that exist in memory only, for tests.
    public static var inMemory: AppStorage {
        let values = Lock<[String: String]>([:])
        return AppStorage(
            load: { key in values.withLock { $0[key] } }, save: { text, key in values.withLock { $0[key] = text } })
    }
}

private enum AppStorageDependency: DependencyKey {
    static var liveValue: AppStorage { .userDefaults }
    static var previewValue: AppStorage { .inMemory }
    static var testValue: AppStorage { .inMemory }
}

extension DependencyValues {
    /// Where settings are: those of the process's user, or in memory in tests. A hosted session has none unless the dependency is
    /// overridden where its store is created.
    public var defaultAppStorage: AppStorage {
        get { self[AppStorageDependency.self] }
        set { self[AppStorageDependency.self] = newValue }
    }

    /// Returns where settings are; nil if there are none.
    func appStorage(isOfSession: Bool) -> AppStorage? {
        isOfSession && !isOverridden(AppStorageDependency.self) ? nil : defaultAppStorage
    }
}
