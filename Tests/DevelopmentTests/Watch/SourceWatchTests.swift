import Dispatch
import Foundation
import Testing

@testable import Development

/// Changes of real files, as the kernel reports them.
struct SourceWatchTests {
    private let package: URL
    private let queue = DispatchQueue(label: "test")

    init() throws {
        package = URL(fileURLWithPath: "/tmp/granary-watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: package.appendingPathComponent("Sources/app/inner"), withIntermediateDirectories: true)
        try write("Package.swift")
        try write("Sources/app/inner/a.swift")
    }

    private func write(_ path: String, _ text: String = "") throws {
        try Data(text.utf8).write(to: package.appendingPathComponent(path))
    }

    /// Returns when the change that a closure makes was reported.
    private func awaitReport(of change: () throws -> Void) async throws {
        let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
        let watch = try queue.sync { try SourceWatch(package, on: queue) { continuation.yield() } }
        try change()
        for await _ in reports { break }
        queue.sync { withExtendedLifetime(watch) {} }
    }

    private func remove() { try? FileManager.default.removeItem(at: package) }

    @Test func `a written, replaced, moved or deleted source is reported`() async throws {
        defer { remove() }
        try await awaitReport { try write("Sources/app/inner/a.swift", "1") }
        try await awaitReport { try write("Sources/app/b.swift") }
        try await awaitReport { try write("Package.swift", "2") }
        let source = package.appendingPathComponent("Sources/app/b.swift")
        let other = package.appendingPathComponent("c")
        try await awaitReport { try FileManager.default.moveItem(at: source, to: other) }
        try await awaitReport { try FileManager.default.moveItem(at: other, to: source) }
        try await awaitReport { try FileManager.default.removeItem(at: source) }
    }

    @Test func `files in a folder that was created later are reported`() async throws {
        defer { remove() }
        let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
        var iterator = reports.makeAsyncIterator()
        let watch = try queue.sync { try SourceWatch(package, on: queue) { continuation.yield() } }
        try FileManager.default.createDirectory(
            at: package.appendingPathComponent("Sources/app/new/deep"), withIntermediateDirectories: true)
        await iterator.next()
        try write("Sources/app/new/deep/d.swift", "1")
        await iterator.next()
        queue.sync { withExtendedLifetime(watch) {} }
    }

    @Test func `files of editors and of builds are not reported`() async throws {
        defer { remove() }
        let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
        let watch = try queue.sync { try SourceWatch(package, on: queue) { continuation.yield() } }
        for path in ["Sources/app/.a.swift.swp", "Sources/app/a.swift~", "Sources/app/4913", "README.md"] {
            try write(path)
        }
        try FileManager.default.createDirectory(
            at: package.appendingPathComponent(".build/debug"), withIntermediateDirectories: true)
        // Longer than the pause after which a change is reported.
        try await Task.sleep(for: .milliseconds(400))
        continuation.finish()
        var count = 0
        for await _ in reports { count += 1 }
        #expect(count == 0)
        queue.sync { withExtendedLifetime(watch) {} }
    }

    @Test(arguments: [
        ("main.swift", true), ("Localizable.strings", true), (".main.swift.swp", false), ("main.swift~", false),
        ("#main.swift#", false), ("4913", false), ("", false), ("main.swift.tmp", false),
    ])
    func `sources are told from the files of editors`(name: String, isSource: Bool) {
        #expect(SourceFiles.isSource(name) == isSource)
    }
}
