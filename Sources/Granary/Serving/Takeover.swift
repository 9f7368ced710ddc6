import CLinux
import Dispatch
import Glibc
import HTTPModel
import HTTPServer
import Log

/// Replaces the running server by a new one on the same sockets, at SIGUSR2: the new one is started first, and the old one
/// goes down once the new one is ready. Until then, and where that never comes, the old one serves.
///
/// Sendable: what is mutable is touched on `queue` only.
final class Takeover: @unchecked Sendable {
    private let relaunch: Relaunch
    private let timeout: Duration
    private let supervisor: Supervisor
    private let log: Log
    private let queue = DispatchQueue(label: "granary.takeover")
    private var state = TakeoverState()
    private var signals: (any DispatchSourceSignal)?
    private var line: (any DispatchSourceRead)?
    private var sockets: (@Sendable () throws(HTTPServerError) -> InheritedSockets?)?
    private var handedOver: (@Sendable () -> Void)?

    /// A takeover that nobody has asked for.
    init(_ relaunch: Relaunch, timeout: Duration, supervisor: Supervisor, log: Log) {
        self.relaunch = relaunch
        self.timeout = timeout
        self.supervisor = supervisor
        self.log = log
    }

    /// Hears the signal from now on. `sockets` gives copies of what the server listens on; `handedOver` is called once,
    /// when a new server is about to accept connections.
    func begin(
        sockets: @escaping @Sendable () throws(HTTPServerError) -> InheritedSockets?,
        handedOver: @escaping @Sendable () -> Void
    ) {
        queue.sync {
            self.sockets = sockets
            self.handedOver = handedOver
            signal(SIGUSR2, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: SIGUSR2, queue: queue)
            source.setEventHandler { [self] in perform(state.signalCame(isFirstProcess: getpid() == 1)) }
            source.activate()
            signals = source
        }
    }

    /// Hears it no more: the server goes down. Answers whether that is because another one has taken over. A new server
    /// that is not ready is not waited for.
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
        case .refuse(let reason): log(.warning, "no new server is started", ["reason": .text(reason)])
        case .start: start()
        case .handOver(let process):
            leave(to: process)
        case .goOn(let process, let reason):
            let status = reap(process)
            supervisor.hear(.ready)
            log(
                .error, "the new server did not take over, the old one goes on",
                ["reason": .text(reason), "pid": .number(Int(process)), "status": .number(status)])
        case .kill(let process): _ = reap(process)
        }
    }

    private func start() {
        supervisor.hearOfReloading()
        do {
            guard let copies = try sockets?() else { return supervisor.hear(.ready) }
            defer { copies.close() }
            let line = try TakeoverLine()
            defer { granary_close(line.theirs) }
            do throws(TakeoverError) {
                let process = try relaunch.start(line: line.theirs, copies)
                state.started(process: process)
                listen(on: line.ours, process)
            } catch {
                granary_close(line.ours)
                throw error
            }
        } catch {
            supervisor.hear(.ready)
            log(.error, "the new server did not take over, the old one goes on", ["reason": .text("\(error)")])
        }
    }

    private func listen(on descriptor: Int32, _ process: Int32) {
        log(.info, "a new server is started", ["pid": .number(Int(process))])
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [self] in hear(on: descriptor) }
        source.setCancelHandler { granary_close(descriptor) }
        source.activate()
        line = source
        let milliseconds = Int(clamping: timeout.wholeNanoseconds / 1_000_000)
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in
            perform(state.timePassed(for: process))
        }
    }

    /// The new server has spoken, or has fallen silent for good.
    private func hear(on descriptor: Int32) {
        var byte: UInt8 = 0
        let isReady = granary_receive(descriptor, &byte, 1) == 1 && byte == Predecessor.readiness
        let action = isReady ? state.successorIsReady() : state.successorEnded()
        if case .handOver = action {
            var consent = Predecessor.consent
            _ = granary_send(descriptor, &consent, 1)
        }
        line?.cancel()
        line = nil
        perform(action)
    }

    private func leave(to process: Int32) {
        supervisor.hear(.readyAs(process: process))
        log(.info, "a new server has taken over", ["pid": .number(Int(process))])
        handedOver?()
    }

    /// Makes sure that a process that was started here is gone; answers how it ended, as shells put it.
    private func reap(_ process: Int32) -> Int {
        line?.cancel()
        line = nil
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let number = status & 0x7F
        return Int(number == 0 ? (status >> 8) & 0xFF : 128 + number)
    }
}

/// A connection between an old server and a new one.
private struct TakeoverLine {
    private(set) var ours: Int32 = -1
    private(set) var theirs: Int32 = -1

    init() throws(TakeoverError) {
        let result = granary_socket_pair(&ours, &theirs)
        guard result < 0 else { return }
        let reason = String(cString: granary_error_text(-result))
        throw TakeoverError(description: "no line to a new server can be made: \(reason)")
    }
}
