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
            settings.load(key).flatMap { SettingForm.value($0, as: Value.self) }
        } save: { value in
            do {
                settings.save(try SettingForm.form(of: value), key)
            } catch {
                Issues.report(
                    "a \(Value.self) cannot be encoded for the setting \(key): \(error)",
                    summary: "a shared value cannot be encoded", severity: .warning)
            }
        }
    }
}

extension SharedKey {
    /// Returns the key of a value of the user's settings.
    ///
    /// Booleans, integers, `Double`, texts, arrays of texts, `Date`, `Data` and `URL` are kept as `UserDefaults` keeps them, and values with
    /// a raw value that is an integer or a text as their raw value. For nil, the setting is removed. Other values are kept as JSON text.
    ///
    /// In a hosted session, the settings of the process are not read or written unless the store of the session overrides
    /// `defaultAppStorage`: the value belongs to the session, and is stored with it.
    public static func appStorage<Value>(_ key: String) -> Self where Self == AppStorageKey<Value> {
        AppStorageKey(key)
    }
}

/// Where the values of ``SharedKey/appStorage(_:)`` are.
public struct AppStorage: Sendable {
    let load: @Sendable (String) -> Any?
    /// Removes the setting if the value is nil.
    let save: @Sendable (Any?, String) -> Void

    /// The settings of the process's user, as `UserDefaults` keeps them.
    public static let userDefaults = AppStorage(
        load: { UserDefaults.standard.object(forKey: $0) },
        save: { UserDefaults.standard.set($0, forKey: $1) })

    /// Returns settings that exist in memory only, for tests.
    public static var inMemory: AppStorage { inMemory(settings: Lock([:])) }

    /// Returns settings that exist in memory only, for tests that look at them.
    static func inMemory(settings: Lock<[String: UnsafeTransfer<Any>]>) -> AppStorage {
        AppStorage(
            load: { key in settings.withLock { $0[key] }?.value },
            save: { value, key in
                let value = value.map { UnsafeTransfer($0) }
                settings.withLock { $0[key] = value }
            })
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
