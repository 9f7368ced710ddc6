import Dispatch
public import Foundation
import Locking

/// Where the files of ``SharedKey/fileStorage(_:)`` are.
public struct FileStorage: Sendable {
    let load: @Sendable (URL) -> Data?
    let save: @Sendable (Data, URL) -> Void

    /// The files of the machine. They are written on a queue in the background, the last value of a burst only, and as a whole.
    public static let fileSystem: FileStorage = {
        let writer = FileWriter()
        return FileStorage(load: { writer.load($0) }, save: { writer.save($0, at: $1) })
    }()

    /// Returns files that exist in memory only, for tests.
    public static var inMemory: FileStorage { inMemory(fileSystem: LockIsolated([:])) }

    /// Returns files that exist in memory only, for tests that look at them.
    public static func inMemory(fileSystem: LockIsolated<[URL: Data]>) -> FileStorage {
        FileStorage(
            load: { url in fileSystem.withValue { $0[url] } },
            save: { data, url in fileSystem.withValue { $0[url] = data } })
    }

    /// Waits until all files of the machine have been written, for programs that end.
    public static func flush() {
        FileWriter.queue.sync {}
    }
}

/// Writes files in the background.
private final class FileWriter: Sendable {
    static let queue = DispatchQueue(label: "composable-architecture.files", qos: .utility)

    private let waiting = Lock<[URL: Data]>([:])

    func load(_ url: URL) -> Data? {
        waiting.withLock { $0[url] } ?? (try? Data(contentsOf: url))
    }

    func save(_ data: Data, at url: URL) {
        let isFirst = waiting.withLock { waiting in
            defer { waiting[url] = data }
            return waiting[url] == nil
        }
        guard isFirst else { return }
        FileWriter.queue.async { self.write(url) }
    }

    private func write(_ url: URL) {
        guard let data = waiting.withLock({ $0[url] }) else { return }
        do {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: url, options: .atomic)
        } catch {
            Issues.report(
                "cannot write \(url.path): \(error)", summary: "cannot write a file of shared state", severity: .warning
            )
        }
        // What was saved meanwhile is written again. Until here, readers see the waiting data.
        let isOver = waiting.withLock { waiting in
            if waiting[url] == data { waiting[url] = nil }
            return waiting[url] == nil
        }
        if !isOver { FileWriter.queue.async { self.write(url) } }
    }
}

private enum FileStorageDependency: DependencyKey {
    static var liveValue: FileStorage { .fileSystem }
    static var previewValue: FileStorage { .inMemory }
    static var testValue: FileStorage { .inMemory }
}

extension DependencyValues {
    /// Where the files of shared values are: those of the machine, or in memory in tests.
    ///
    /// A hosted session has no files unless the dependency is overridden where its store is created. All sessions then read and write
    /// the same files.
    public var defaultFileStorage: FileStorage {
        get { self[FileStorageDependency.self] }
        set { self[FileStorageDependency.self] = newValue }
    }

    /// Returns where files are; nil if there are none.
    func fileStorage(isOfSession: Bool) -> FileStorage? {
        isOfSession && !isOverridden(FileStorageDependency.self) ? nil : defaultFileStorage
    }
}
