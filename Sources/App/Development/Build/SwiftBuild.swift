import Dispatch
import Foundation
import Glibc
import ProcessLifecycle

/// Builds a program of a package with SwiftPM.
final class SwiftBuild {
    /// How a build has ended.
    enum Outcome: Equatable {
        /// The program exists.
        case succeeded
        /// It does not, for the reasons that the compiler has printed.
        case failed(String)
    }

    private let options: DevelopmentOptions
    private let product: String
    private let queue: DispatchQueue
    private let print: (String) -> Void
    private var process: ChildProcess?

    /// Prepares builds.
    ///
    /// - Parameters:
    ///   - options: The package, and how it is built.
    ///   - queue: The queue on which the end of a build is reported.
    ///   - print: Prints what the compiler prints.
    init(
        _ product: String, _ options: DevelopmentOptions, on queue: DispatchQueue, print: @escaping (String) -> Void
    ) {
        (self.product, self.options, self.queue, self.print) = (product, options, queue, print)
    }

    func begin(_ ended: @escaping (Outcome) -> Void) {
        do {
            process = try CommandOutput.start(
                SwiftPackage.path, ["swift", "build", "--product", product] + SwiftPackage.arguments(options),
                environment: ProcessInfo.processInfo.environment, on: queue, lines: print
            ) { [self] text in
                let status = process?.waitForExit()
                process = nil
                ended(status == 0 ? .succeeded : .failed(SwiftBuild.diagnostics(in: text)))
            }
        } catch {
            ended(.failed(error.description))
        }
    }

    /// Stops a build. Its end is reported.
    func cancel() { process?.send(SIGTERM) }

    /// Returns the part of a compiler's output that begins with the first error, or all of it if nothing looks like one.
    static func diagnostics(in text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let kept = lines.filter { !isProgress($0) }
        guard let first = kept.firstIndex(where: { $0.contains("error: ") }) else {
            return kept.joined(separator: "\n")
        }
        return kept[first...].joined(separator: "\n")
    }

    /// Whether a line states the progress of a build: `[12/40] Compiling …`.
    private static func isProgress(_ line: Substring) -> Bool {
        guard line.first == "[", let end = line.firstIndex(of: "]") else { return false }
        return line[line.index(after: line.startIndex)..<end].allSatisfy { $0.isNumber || $0 == "/" }
    }
}

enum SwiftPackage {
    /// Returns the arguments that name the package and how it is built.
    static func arguments(_ options: DevelopmentOptions) -> [String] {
        ["--package-path", options.package] + options.buildFlags
    }

    /// The program that finds `swift`.
    static let path = "/usr/bin/env"

    /// Runs `swift` and returns what it prints to standard output.
    static func output(of arguments: [String]) throws(DevelopmentError) -> Data {
        let (reading, writing) = try Program.pipe()
        let output = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
        let process: ChildProcess
        do {
            defer { close(writing) }
            process = try Program.start(path, ["swift"] + arguments, output: writing, errors: nil)
        }
        let data = output.readDataToEndOfFile()
        guard process.waitForExit() == 0 else {
            throw DevelopmentError("swift \(arguments.joined(separator: " ")) failed")
        }
        return data
    }
}

struct PackageProducts: Decodable {
    private struct Product: Decodable {
        let name: String
        let type: [String: [String]?]
    }

    private let products: [Product]

    /// The names of the programs.
    var executables: [String] { products.filter { $0.type.keys.contains("executable") }.map(\.name) }

    /// Reads the output of `swift package describe --type json`.
    init(describedBy data: Data) throws(DevelopmentError) {
        do {
            self = try JSONDecoder().decode(PackageProducts.self, from: data)
        } catch {
            throw DevelopmentError("expected the description of a package from SwiftPM, got something else")
        }
    }

    /// Returns the program that a developer means.
    ///
    /// - Parameter name: Its name; nil for the only one.
    func executable(named name: String?) throws(DevelopmentError) -> String {
        let list = executables.isEmpty ? "none" : executables.joined(separator: ", ")
        guard let name else {
            guard let only = executables.first, executables.count == 1 else {
                throw DevelopmentError("dev: expected the name of a program of the package, which has \(list)")
            }
            return only
        }
        guard executables.contains(name) else {
            throw DevelopmentError("dev: expected a program of the package, which has \(list), got \"\(name)\"")
        }
        return name
    }
}
