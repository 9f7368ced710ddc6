import Foundation

/// Runs the compiler of the toolchain to check whether a source type-checks against the built modules. For tests of
/// code that an interface must reject.
public struct TypeChecker {
    /// The result of a check.
    public struct Verdict: Sendable {
        /// Whether the source compiles.
        public let isAccepted: Bool
        /// The compiler's output.
        public let diagnostics: String
    }

    /// The folder of the built modules, next to the running test bundle.
    private let modules: URL
    private let folder: URL

    /// Creates a checker.
    ///
    /// - Throws: An error if there are no modules next to the running program.
    public init() throws {
        let bundle = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        modules = bundle.deletingLastPathComponent().appendingPathComponent("Modules")
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("type-checker-\(UUID().uuidString)")
        guard FileManager.default.fileExists(atPath: modules.path) else { throw CocoaError(.fileNoSuchFile) }
    }

    /// The options for the modules of C targets and of system libraries. Each has a map in its folder: that of its products, or of its
    /// sources.
    private var moduleMaps: [String] {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let layers = folders(in: package.appendingPathComponent("Sources"))
        return ([modules.deletingLastPathComponent()] + layers).flatMap(folders).map {
            $0.appendingPathComponent("module.modulemap").path
        }
        .filter { FileManager.default.fileExists(atPath: $0) }
        .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    private func folders(in parent: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        return names.sorted().map(parent.appendingPathComponent)
    }

    /// Type-checks a source in Swift 6 mode.
    ///
    /// - Throws: An error if the compiler cannot be run.
    public func check(_ source: String) throws -> Verdict {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("main.swift")
        let output = folder.appendingPathComponent("diagnostics.txt")
        try Data(source.utf8).write(to: file)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path] + moduleMaps + [file.path]
        let handle = try FileHandle(forWritingTo: output)
        process.standardError = handle
        process.standardOutput = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        let diagnostics = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        return Verdict(isAccepted: process.terminationStatus == 0, diagnostics: diagnostics)
    }
}
