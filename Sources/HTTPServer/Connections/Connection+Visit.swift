import CLinux
import Glibc
import HTTP1
import HTTPModel
import Locking
import Synchronization

/// Who may touch a connection: the loop in whose epoll set its socket is, its home, or the loop that answers a request of
/// it. One word that both loops exchange; whatever the one wrote before, the other sees after.
struct Presence: ~Copyable {
    private enum Place {
        static let home: UInt8 = 0
        static let away: UInt8 = 1
        /// Away, and its home waits for it.
        static let expected: UInt8 = 2
    }

    private let place = Atomic<UInt8>(Place.home)

    /// Asked on the home loop. If not, the connection will be sent home, however its visit ends.
    @inline(__always)
    borrowing func isHomeOrExpected() -> Bool {
        if place.load(ordering: .acquiring) == Place.home { return true }
        return place.exchange(Place.expected, ordering: .acquiringAndReleasing) == Place.home && comesHome()
    }

    /// The connection had come home just before it was called there.
    private borrowing func comesHome() -> Bool {
        place.store(Place.home, ordering: .relaxed)
        return true
    }

    /// Asked on the home loop, of a connection that may be there or not.
    borrowing func isHome() -> Bool { place.load(ordering: .acquiring) == Place.home }

    /// The connection leaves; `expected` says that it has something to do at home when it is back.
    borrowing func leave(expected: Bool) {
        place.store(expected ? Place.expected : Place.away, ordering: .releasing)
    }

    /// Gives the connection back on the loop that it visits; false if its home waits for it and has to be told.
    borrowing func release() -> Bool {
        place.compareExchange(
            expected: Place.away, desired: Place.home, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// The connection is back, on the home loop.
    borrowing func arrive() {
        place.store(Place.home, ordering: .relaxed)
    }
}

// A visit: one request is answered on another loop, while the socket stays in this loop's epoll set.
extension Connection {
    /// Has a request of another loop answered: right here where that loop's work may be done on this thread.
    func seek(_ target: ServerLoop, _ message: HTTP1Message, _ output: inout [UInt8]) {
        guard !flags.contains(.isFresh), let responder = target.responder,
            let answer = target.loop.runInline(from: context.loop, { responder.respond(to: message.request) })
        else {
            state = .leaving(to: target, message)
            return
        }
        switch answer {
        case .response(let response):
            if case .stream = response.body {
                state = .departing(to: target, .made(response))
            } else {
                begin(response, &output)
            }
        case .deferred(let promise): state = .departing(to: target, .promised(promise))
        }
    }

    /// What a visit leaves for the home loop to do.
    enum Errand {
        /// Whatever the connection's state says.
        case goOn
        /// The socket failed.
        case close
        /// The answer is made on the loop that was visited, so the connection has to move there.
        case move(to: ServerLoop)
    }

    /// Has the request answered on its loop, which writes the answer as well. In between nothing here touches the
    /// connection: neither epoll set changes, and if all went well no word comes back.
    func visit(_ target: ServerLoop, _ message: HTTP1Message) {
        state = .visiting(message)
        // When the answer is written the connection is idle, as of now.
        wait = .idle
        waitStart = context.loop.nanoseconds
        context.loop.wake(self, at: waitStart + min(context.times.idle, context.times.firstLook))
        presence.leave(expected: !leftover.isEmpty || flags.contains(.canRead))
        let connection = UnsafeTransfer(self)
        target.loop.execute { connection.value.beAnswered(by: target) }
    }

    private func beAnswered(by host: ServerLoop) {
        guard case .visiting(let message) = state, let responder = host.responder else { return goHome(.close) }
        switch responder.respond(to: message.request) {
        case .response(let response): write(response, host)
        case .deferred(let promise):
            state = .promised(promise)
            goHome(.move(to: host))
        }
    }

    private func write(_ response: HTTPResponse, _ host: ServerLoop) {
        if case .stream = response.body, !exchange.isHead {
            state = .answered(response)
            return goHome(.move(to: host))
        }
        if isSentInParts(response) {
            state = .answered(response)
            return goHome(.goOn)
        }
        var output = host.output.take()
        _ = encode(response, on: host, &output)
        if case .stream(let stream) = response.body { stream.stop() }
        endAnswer(on: host)
        if let secure, !secure.seal(&output, on: host) {
            host.output.recycle(&output)
            return goHome(.close)
        }
        let sent = output.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
        let isWhole = sent == output.count
        if !isWhole, sent >= 0 || sent == -Int(EAGAIN) {
            unsent = Array(output[max(0, sent)...])
            unsentStart = 0
        }
        host.output.recycle(&output)
        if isWhole, case .reading = state, presence.release() { return }
        goHome(isWhole || !unsent.isEmpty ? .goOn : .close)
    }

    private func goHome(_ errand: Errand) {
        let home = context
        let connection = UnsafeTransfer(self)
        home.loop.execute { connection.value.comeHome(errand) }
    }

    private func comeHome(_ errand: Errand) {
        presence.arrive()
        // It may have been closed here with all others while it was away.
        guard slot >= 0 else { return }
        switch errand {
        case .close: return close(abruptly: true)
        case .move(let target):
            // What came meanwhile is told again by the other epoll set.
            missed = 0
            return moveIn(with: target)
        case .goOn: break
        }
        if !unsent.isEmpty { awaitWriting() }
        let readiness = missed
        missed = 0
        becameReady(readiness)
        if context.isDraining { drain() }
    }
}
