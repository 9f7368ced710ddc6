import CLinux
import Dispatch
import Glibc
import HTTPModel
import HTTPServer
import Log
import ProcessLifecycle

/// Replaces the running server with a new process on the same sockets when SIGUSR2 arrives (hot restart). The old
/// server continues to serve until the new one is ready, and permanently if it never becomes ready.
///
/// Sendable because all mutable state is accessed only on `queue`.
final class Takeover: @unchecked Sendable {
    private let relaunch: Relaunch
    private let timeout: Duration
    private let supervisor: Supervisor
    private let log: Log
    private let queue = DispatchQueue(label: "granary.takeover")
    private var state = TakeoverState()
    private var signals: (any DispatchSourceSignal)?
    /// The channel to the new server, until it ends; nil if none exists.
    private var descriptor: Int32?
    private var sockets: (@Sendable () throws(HTTPServerError) -> InheritedSockets?)?
    private var exchange: SessionExchange?
    private var handedOver: (@Sendable () -> Void)?

    /// Creates a takeover that has not been requested.
    init(_ relaunch: Relaunch, timeout: Duration, supervisor: Supervisor, log: Log) {
        self.relaunch = relaunch
        self.timeout = timeout
        self.supervisor = supervisor
        self.log = log
    }

    /// Starts to handle the signal. A takeover that is requested before ``begin(sockets:handedOver:)`` waits for it.
    func prepare() {
        let source = SignalHandling.begin(SIGUSR2, on: queue) { [self] in
            perform(state.takeoverRequested(isFirstProcess: Takeover.isFirstProcess))
        }
        queue.sync { signals = source }
    }

    /// Starts to replace the server on request.
    ///
    /// - Parameters:
    ///   - sockets: Returns copies of the listening sockets.
    ///   - exchange: Releases the sessions for a new server.
    ///   - handedOver: Called once, when a new server is about to accept connections.
    func begin(
        sockets: @escaping @Sendable () throws(HTTPServerError) -> InheritedSockets?, exchange: SessionExchange,
        handedOver: @escaping @Sendable () -> Void
    ) {
        queue.sync {
            self.sockets = sockets
            self.exchange = exchange
            self.handedOver = handedOver
            perform(state.serverIsReady(isFirstProcess: Takeover.isFirstProcess))
        }
    }

    /// Whether this process is the first one of a container.
    private static var isFirstProcess: Bool { getpid() == 1 }

    /// Stops handling the signal because the server shuts down, and kills a new server that is not ready. Returns
    /// whether a new server has taken over.
    func end() -> Bool {
        queue.sync {
            perform(state.end())
            signals?.cancel()
            signals = nil
            (sockets, handedOver) = (nil, nil)
            return state.isHandedOver
        }
    }

    private func perform(_ action: TakeoverState.Action) {
        switch action {
        case .nothing: break
        case .refuse(let reason): log(.warning, "takeover refused", ["reason": .text(reason)])
        case .start: start()
        case .release:
            exchange?.release { [self] isReleased in
                queue.async { [self] in
                    perform(isReleased ? state.sessionsWereReleased() : state.releaseWasAbandoned())
                }
            }
        case .recall(let process):
            // Its identifier must stay its own until the sessions are back.
            kill(process, SIGKILL)
            exchange?.cancel()
        case .offer(let process): offer(to: process)
        case .consent:
            let isSent = descriptor.map { granary_send_descriptor($0, Predecessor.consent, -1) == 0 }
            perform(state.consentWasSent(isSent ?? false))
        case .handOver(let process):
            leave(to: process)
        case .resume(let process, let reason):
            let status = reap(process)
            // Only now: the new server may have had the sessions open.
            exchange?.takeBack()
            // The supervisor was notified of a reload and waits for its end.
            supervisor.notify(.ready)
            log(
                .error, "takeover failed, the old server continues",
                ["reason": .text(reason), "pid": .number(Int(process)), "status": .number(status)])
        case .takeBack: exchange?.takeBack()
        case .kill(let process):
            _ = reap(process)
            exchange?.cancel()
            exchange?.takeBack()
        }
    }

    private func start() {
        supervisor.notifyReloading()
        do {
            guard let copies = try sockets?() else { return supervisor.notify(.ready) }
            // The new process has its own descriptors after the spawn.
            defer { copies.close() }
            let channel = try TakeoverChannel()
            // While this process has the other end open, it cannot detect the end of the channel when the new server
            // exits.
            defer { granary_close(channel.theirs) }
            do throws(OperatorError) {
                let process = try relaunch.start(channel: channel.theirs, copies)
                state.started(process: process)
                listen(on: channel.ours, process)
            } catch {
                granary_close(channel.ours)
                throw error
            }
        } catch {
            supervisor.notify(.ready)
            log(.error, "takeover failed, the old server continues", ["reason": .text("\(error)")])
        }
    }

    private func listen(on descriptor: Int32, _ process: Int32) {
        log(.info, "new server started", ["pid": .number(Int(process))])
        PeerReader.begin(descriptor, capacity: 1, on: queue) { [self] message in
            // Otherwise this process has given the channel up.
            if self.descriptor == descriptor { receive(message.first) }
        }
        self.descriptor = descriptor
        runTimeout { [self] in state.timeoutFired(for: process) }
    }

    /// Handles an event when the time of the new server is over. The state ignores it if the new server was in time.
    private func runTimeout(_ event: @escaping @Sendable () -> TakeoverState.Action) {
        let milliseconds = Int(clamping: timeout.wholeMilliseconds)
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in perform(event()) }
    }

    /// Handles a message of the new server, or the end of its channel.
    private func receive(_ message: UInt8?) {
        switch message {
        case Predecessor.readiness: perform(state.successorIsReady())
        case Predecessor.confirmation: perform(state.successorConfirmed())
        default:
            closeChannel()
            perform(state.successorEnded())
        }
    }

    /// Passes the sessions to the new server, with the lock of their directory if there is one.
    private func offer(to process: Int32) {
        log(.info, "sessions released", ["pid": .number(Int(process))])
        // If it cannot be sent, the end of the channel follows.
        if let descriptor { _ = granary_send_descriptor(descriptor, Predecessor.sessions, exchange?.lock ?? -1) }
        runTimeout { [self] in state.offerTimeoutFired(for: process) }
    }

    private func closeChannel() {
        // The reader closes it then, on the queue: until then its number is not another channel's.
        if let descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
        descriptor = nil
    }

    private func leave(to process: Int32) {
        supervisor.notify(.readyAs(process: process))
        log(.info, "new server has taken over", ["pid": .number(Int(process))])
        // The channel stays open for the requests that still arrive here.
        exchange?.leave(over: descriptor)
        handedOver?()
    }

    /// Kills a child process, waits for its end, and returns its exit status as shells report it.
    private func reap(_ process: Int32) -> Int {
        // Harmless if the process has exited: its identifier is not reused before it is waited for.
        let child = ChildProcess(identifier: process)
        child.send(SIGKILL)
        let status = child.waitForExit()
        // Not before: the new server would take the end of the channel for the end of this process.
        closeChannel()
        return status
    }
}

/// A socket pair between the old server and the new one.
private struct TakeoverChannel {
    private(set) var ours: Int32 = -1
    private(set) var theirs: Int32 = -1

    init() throws(OperatorError) {
        let result = granary_socket_pair(&ours, &theirs)
        guard result < 0 else { return }
        let reason = String(cString: granary_error_text(-result))
        throw OperatorError("the channel to a new server could not be created: \(reason)")
    }
}
