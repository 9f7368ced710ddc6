import Dispatch
import Foundation
import Glibc
import ProcessLifecycle

/// Runs `granary dev`: performs what ``DevelopmentState`` decides.
///
/// Sendable because everything that changes is used on its queue only.
public final class DevelopmentRun: @unchecked Sendable {
    private let options: DevelopmentOptions
    private let product: String
    private let executable: String
    /// The folder with the sessions of the server and the status for pages.
    private let folder: URL
    private let printError: (String) -> Void
    private let queue = DispatchQueue(label: "granary.development")
    private let finished = DispatchSemaphore(value: 0)
    private var state = DevelopmentState()
    private var build: SwiftBuild?
    private var server: ServedProgram?
    private var deletion: ChildProcess?
    private var watch: SourceWatch?
    private var signals: [any DispatchSourceSignal] = []
    private var servedFile: FileIdentity?
    private var isInterrupted = false

    /// The variable with the path of the status for pages, which a server serves.
    public static let statusVariable = "GRANARY_DEVELOPMENT_STATUS"
    private static let directoryVariable = "GRANARY_SESSIONS_STATE_DIRECTORY"

    /// Prepares the command: finds the program of the package.
    ///
    /// - Parameters:
    ///   - options: The arguments.
    ///   - printError: Prints a line to standard error.
    /// - Throws: ``DevelopmentError`` if the folder has no package, or the package has no such program.
    public init(
        _ options: DevelopmentOptions, printError: @escaping (String) -> Void
    ) throws(DevelopmentError) {
        (self.options, self.printError) = (options, printError)
        guard FileManager.default.fileExists(atPath: "\(options.package)/Package.swift") else {
            throw DevelopmentError("dev: expected a package in \(options.package), which has no Package.swift")
        }
        let arguments = SwiftPackage.arguments(options)
        let described = try SwiftPackage.output(
            of: ["package", "--package-path", options.package] + options.scratchFlags + ["describe", "--type", "json"])
        product = try PackageProducts(describedBy: described).executable(named: options.product)
        let path = String(
            decoding: try SwiftPackage.output(of: ["build", "--show-bin-path"] + arguments), as: UTF8.self)
        executable = path.trimmingCharacters(in: .whitespacesAndNewlines) + "/\(product)"
        folder = URL(fileURLWithPath: options.package).appendingPathComponent(".build/granary-dev")
    }

    /// Runs until SIGINT, SIGTERM or SIGHUP.
    ///
    /// - Parameter environment: The environment of the server, to which the command adds where its sessions and its status are.
    /// - Returns: The exit status.
    public func run(environment: [String: String]) -> Int32 {
        do {
            try prepare(environment)
        } catch {
            printError("granary: \(error)")
            return 1
        }
        finished.wait()
        return 0
    }

    private func prepare(_ environment: [String: String]) throws {
        let sessions = folder.appendingPathComponent("sessions")
        try FileManager.default.createDirectory(
            at: sessions, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var variables = environment
        variables[DevelopmentRun.statusVariable] = statusFile.path
        // What the developer has chosen counts.
        if variables[DevelopmentRun.directoryVariable] == nil {
            variables[DevelopmentRun.directoryVariable] = sessions.path
        }
        build = SwiftBuild(product, options, on: queue, print: printError)
        server = try ServedProgram(
            executable, arguments: options.arguments, environment: variables, on: queue, printError: printError
        ) { [weak self] in self?.receive($0) }
        serverEnvironment = variables
        // SIGHUP, because the server does not end with the terminal.
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signals.append(SignalHandling.begin(number, on: queue) { [weak self] in self?.interrupt() })
        }
        try queue.sync {
            watch = try SourceWatch(URL(fileURLWithPath: options.package), on: queue) { [weak self] in
                self?.handle(.filesChanged)
            }
            handle(.began)
        }
    }

    private var serverEnvironment: [String: String] = [:]
    private var statusFile: URL { folder.appendingPathComponent("status.json") }

    private func handle(_ event: DevelopmentState.Event) {
        for action in state.after(event) { perform(action) }
    }

    private func perform(_ action: DevelopmentState.Action) {
        switch action {
        case .build: build?.begin { [self] in ended($0) }
        case .cancelBuild: build?.cancel()
        case .start: server?.start()
        case .replace: server?.replace()
        case .stop: server?.stop()
        case .ask(let problem): ask(problem)
        case .deleteSessions(let machine): deleteSessions(of: machine)
        case .show(let status): show(status)
        case .exit: exit()
        }
    }

    private func ended(_ outcome: SwiftBuild.Outcome) {
        switch outcome {
        case .failed(let text): handle(.buildFailed(text))
        case .succeeded:
            let file = FileIdentity(executable)
            defer { servedFile = file }
            handle(.built(isNew: file != servedFile))
        }
    }

    private func receive(_ event: ServedProgram.Event) {
        switch event {
        case .ready(let hasChanged):
            // While a server is being replaced, the message of the old one means that it continues.
            let continues = state.isReplacing && !hasChanged
            handle(continues ? .serverRefused(server?.problem ?? ServerProblem(output: "")) : .serverReady)
        case .ended(let problem, let isEarly): handle(.serverEnded(problem: problem, isEarly: isEarly))
        }
    }

    private func show(_ status: DevelopmentStatus) {
        // Replaced at once, so that no reader sees a part of it.
        do {
            try Data(status.json).write(to: statusFile, options: .atomic)
        } catch {
            printError("granary: the status could not be written: \(error.localizedDescription)")
        }
        switch status.state {
        case .building: printError("granary: building \(product)")
        case .serving: printError("granary: build \(status.build) serves")
        case .failed: printError("granary: the changes are not served, see above; waiting for the next change")
        }
    }

    /// Asks the developer, who may answer at any time.
    private func ask(_ problem: ServerProblem) {
        guard let machine = problem.machine else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            let directory = serverEnvironment[DevelopmentRun.directoryVariable] ?? ""
            let command = DevelopmentRun.command(executable, deletion(for: machine), sessionsIn: directory)
            return printError(
                "granary: to begin without the sessions of \"\(machine)\", end this command and run \(command)")
        }
        printError("granary: delete the sessions of \"\(machine)\" and begin without them? [y/N]")
        DispatchQueue.global().async { [self] in
            let answer = readLine()?.lowercased()
            queue.async { [self] in handle(.answered(mayDelete: answer == "y" || answer == "yes")) }
        }
    }

    /// The command with which a developer does something with the stored sessions.
    static func command(_ executable: String, _ arguments: [String], sessionsIn directory: String) -> String {
        let words = ([executable] + arguments).map(\.shellWord)
        return "\(directoryVariable)=\(directory.shellWord) \(words.joined(separator: " "))"
    }

    /// The arguments of the command that deletes the sessions of a machine where the server has them.
    private func deletion(for machine: String) -> [String] {
        ["sessions", "delete", "--machine", machine] + options.arguments
    }

    private func deleteSessions(of machine: String) {
        do {
            deletion = try CommandOutput.start(
                executable, deletion(for: machine), environment: serverEnvironment, on: queue,
                lines: printError
            ) { [self] text in
                let status = deletion?.waitForExit()
                deletion = nil
                handle(.sessionsDeleted(error: status == 0 ? nil : text))
            }
        } catch {
            handle(.sessionsDeleted(error: error.description))
        }
    }

    private func interrupt() {
        // A second signal does not wait for clients.
        if isInterrupted { server?.stop(isUrgent: true) }
        isInterrupted = true
        handle(.interrupted)
    }

    private func exit() {
        watch = nil
        for signal in signals { signal.cancel() }
        try? FileManager.default.removeItem(at: statusFile)
        finished.signal()
    }
}

/// Identifies the content of a file, as far as that is possible without reading it.
private struct FileIdentity: Equatable {
    private let (device, inode, seconds, nanoseconds): (UInt64, UInt64, Int, Int)

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}
