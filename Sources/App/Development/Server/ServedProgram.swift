import CLinux
import Dispatch
import Glibc
import ProcessLifecycle

/// The server that a developer works on: a process, and after a hot restart another one. Confined to its queue.
final class ServedProgram {
    enum Event {
        /// It is ready. `hasChanged` says whether another process has taken over.
        case ready(hasChanged: Bool)
        /// No process of it runs any more.
        case ended(ServerProblem, isEarly: Bool)
    }

    /// A server that ends sooner after it was ready is not started again.
    private static let early = DispatchTimeInterval.seconds(5)
    private static let keptLines = 40

    private let executable: String
    private let arguments: [String]
    private let environment: [String: String]
    private let queue: DispatchQueue
    private let printError: (String) -> Void
    private let report: (Event) -> Void
    private let notifications: NotificationSocket
    /// The process that was started here, which is waited for when all have ended.
    private var first: ChildProcess?
    private var process: Int32?
    /// The process that was asked to end.
    private var stopped: Int32?
    private var readySince: DispatchTime?
    private var lastLines: [String] = []

    /// Prepares a server.
    ///
    /// - Parameters:
    ///   - executable: The path of the program.
    ///   - arguments: The arguments for `serve`.
    ///   - queue: The queue on which events are reported.
    ///   - printError: Prints what the server prints to standard error.
    ///   - report: Receives events.
    init(
        _ executable: String, arguments: [String], environment: [String: String], on queue: DispatchQueue,
        printError: @escaping (String) -> Void, report: @escaping (Event) -> Void
    ) throws(DevelopmentError) {
        (self.executable, self.arguments, self.queue) = (executable, arguments, queue)
        (self.printError, self.report) = (printError, report)
        notifications = try NotificationSocket()
        self.environment = environment.merging(["NOTIFY_SOCKET": notifications.name]) { $1 }
        notifications.begin(on: queue) { [weak self] in self?.receive($0) }
    }

    func start() {
        (lastLines, readySince, stopped) = ([], nil, nil)
        do {
            // Standard output stays that of this process: the server prints its address there. A successor has the same
            // pipe, so the end of the output is the end of all processes of the server.
            let child = try CommandOutput.start(
                executable, ["serve"] + arguments, environment: environment, onlyErrors: true, on: queue,
                lines: { [weak self] in self?.take($0) }, ended: { [weak self] _ in self?.allEnded() })
            (first, process) = (child, child.identifier)
        } catch {
            report(.ended(ServerProblem(output: error.description), isEarly: true))
        }
    }

    /// Asks the server to let the program that is now at its path take over.
    func replace() {
        lastLines = []
        if let process { kill(process, SIGUSR2) }
    }

    /// Asks the server to end. `isUrgent` ends it immediately.
    func stop(isUrgent: Bool = false) {
        guard let process else { return }
        if isUrgent {
            kill(process, SIGKILL)
        } else if process != stopped {
            // A second SIGTERM to the same process would end it without waiting for its clients.
            stopped = process
            kill(process, SIGTERM)
        }
    }

    /// The reason why a replacement failed, as far as its output shows.
    var problem: ServerProblem { ServerProblem(output: lastLines.joined(separator: "\n")) }

    private func take(_ line: String) {
        printError(line)
        lastLines.append(line)
        if lastLines.count > ServedProgram.keptLines { lastLines.removeFirst() }
    }

    private func receive(_ notification: ServerNotification) {
        guard case .ready(let successor) = notification else { return }
        if let successor { process = successor }
        readySince = .now()
        report(.ready(hasChanged: successor != nil))
    }

    private func allEnded() {
        _ = first?.waitForExit()
        (first, process) = (nil, nil)
        let isEarly = readySince.map { .now() < $0 + ServedProgram.early } ?? true
        report(.ended(problem, isEarly: isEarly))
    }
}

/// The socket on which a server reports its status, as to systemd: see sd_notify(3).
final class NotificationSocket {
    /// The name for the variable `NOTIFY_SOCKET`. An abstract name leaves no file behind.
    let name = "@granary-dev-\(getpid())-\(UInt32.random(in: .min ... .max))"
    private let descriptor: Int32
    private var source: (any DispatchSourceRead)?

    init() throws(DevelopmentError) {
        descriptor = granary_bind_datagrams(name)
        guard descriptor >= 0 else {
            let reason = String(cString: granary_error_text(-descriptor))
            throw DevelopmentError("the socket for the server's status could not be opened: \(reason)")
        }
    }

    deinit { if let source { source.cancel() } else { close(descriptor) } }

    func begin(on queue: DispatchQueue, _ received: @escaping (ServerNotification) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [descriptor] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            // Without waiting: the source may report a datagram that was read with the one before it. Every user can find the abstract
            // name and send to it.
            while case let count = granary_receive_own_datagram(descriptor, &bytes, bytes.count), count >= 0 {
                guard count > 0 else { continue }
                received(ServerNotification(String(decoding: bytes[..<count], as: UTF8.self)))
            }
        }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.activate()
        self.source = source
    }
}
