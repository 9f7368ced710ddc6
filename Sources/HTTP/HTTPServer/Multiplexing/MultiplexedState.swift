/// The state machine of an HTTP/2 connection's socket, without I/O. Each event has a method, which changes the state
/// and returns the action that ``MultiplexedConnection`` must perform. The engine has the state of the protocol.
struct MultiplexedState {
    enum Phase: Equatable {
        case open
        /// All bytes have been sent. Further bytes of the peer are discarded.
        case lingering(Lingering)
        case closed
    }

    private(set) var phase = Phase.open
    /// The known readiness of the socket.
    private(set) var readiness: SocketReadiness = .canRead
    private(set) var progress = StepProgress.idle

    @inline(__always)
    var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    @inline(__always)
    var isLingering: Bool {
        if case .lingering = phase { true } else { false }
    }
}

// Facts about the engine are parameters that are evaluated only if they matter, because some of them cost a visit of all
// streams.
extension MultiplexedState {
    /// Returns whether a step begins. A running step handles all events before it ends.
    mutating func stepBegan() -> Bool {
        guard !isClosed, !progress.isRunning else { return false }
        progress.begin()
        return true
    }

    mutating func budgetWasExhausted() { progress.exhaust() }

    enum StepEndAction {
        case none
        /// Send the TLS closure alert, and close: the client sends no more bytes and has received all responses.
        case close
        /// Close the sending side, and continue with ``MultiplexedState/lingeringBegan()``.
        case linger
        /// Wait for the next event, at most until the deadline.
        case wait
    }

    /// - Parameters:
    ///   - canSend: Whether the socket has accepted all bytes.
    ///   - isDrained: Whether the engine has neither streams nor output.
    ///   - isFinished: Whether the engine neither reads nor writes any more.
    mutating func stepEnded(
        canSend: Bool, isDrained: @autoclosure () -> Bool, isFinished: @autoclosure () -> Bool
    ) -> StepEndAction {
        progress.end()
        if isClosed { return .none }
        if readiness.contains(.inputEnded), canSend, isDrained() { return .close }
        return canSend && !isLingering && isFinished() ? .linger : .wait
    }

    enum Continuation {
        case none
        /// Run another step at the end of the round.
        case mark
        /// Run another step after those of the loop's other connections.
        case yield
    }

    /// Returns whether the connection continues without another event of the socket.
    ///
    /// - Parameter hasOutput: Whether the engine has output. A response may have been created while the content of
    ///   another one was read.
    @inline(__always)
    func continuation(canSend: Bool, hasOutput: @autoclosure () -> Bool) -> Continuation {
        guard canSend else { return .none }
        return progress.yields ? .yield : hasOutput() ? .mark : .none
    }

    /// Returns the event that the connection waits for.
    ///
    /// - Parameter awaitsContent: Whether all streams wait for content of the server.
    @inline(__always)
    func wait(canSend: Bool, awaitsContent: @autoclosure () -> Bool) -> ConnectionDeadlines.Wait {
        if !canSend { return .write }
        if isLingering { return .linger }
        return readiness.contains(.inputEnded) && awaitsContent() ? .content : .none
    }
}

extension MultiplexedState {
    enum SocketAction {
        case none, step
        /// Close so that the kernel discards unsent bytes.
        case abort
    }

    /// - Parameter isMarked: Whether a step has been scheduled.
    mutating func socketBecameReady(_ events: SocketEvents, isMarked: Bool) -> SocketAction {
        if events.contains(.failed) { return .abort }
        readiness.note(events)
        // A connection that has used up its budget continues only in its next step, even if events arrive earlier.
        return isMarked && progress.yields ? .none : .step
    }

    /// Whether a read may return bytes, or the end of the client's side.
    @inline(__always)
    var canRead: Bool { readiness.contains(.canRead) && !readiness.contains(.inputEnded) }

    enum ReadAction: Equatable {
        /// Pass the bytes to the engine.
        case process
        /// Discard the bytes, and read again.
        case discard
        /// Wait for the next event.
        case pause
        /// Notify the engine of the end of the client's side. Its requests still get responses, as far as its
        /// flow-control windows are open.
        case endInput
        /// - Parameter abruptly: Whether the kernel discards unsent bytes and resets the peer.
        case close(abruptly: Bool)
    }

    /// Records the result of a read.
    ///
    /// - Parameter peerHasFinished: Whether TLS has reported the end of the client's side.
    @inline(__always)
    mutating func inputWasRead(_ reading: SocketReading, peerHasFinished: Bool) -> ReadAction {
        switch reading {
        case .received(let count, let socketIsEmpty):
            if peerHasFinished {
                readiness.insert(.peerFinished)
            } else if socketIsEmpty {
                readiness.inputWasExhausted()
            }
            if count > 0 { return bytesArrived(count) }
            readiness.remove(.canRead)
            return .pause
        case .wouldBlock:
            readiness.remove(.canRead)
            return .pause
        case .ended:
            readiness.remove(.canRead)
            // A client that has also stopped reading, or has received a GOAWAY frame, gets no more responses.
            if readiness.contains(.hungUp) || isLingering { return .close(abruptly: false) }
            readiness.insert(.inputEnded)
            return .endInput
        case .failed: return .close(abruptly: true)
        }
    }

    private mutating func bytesArrived(_ count: Int) -> ReadAction {
        guard case .lingering(var lingering) = phase else { return .process }
        defer { phase = .lingering(lingering) }
        return lingering.discarded(count) ? .discard : .close(abruptly: true)
    }
}

extension MultiplexedState {
    /// Records that the engine has finished.
    mutating func lingeringBegan() {
        phase = .lingering(Lingering())
        readiness.insert(.canRead)
    }

    /// Records that the socket has accepted all output. Returns whether the sending side must be closed now; `false` if
    /// the connection does not linger.
    mutating func outputWasSent() -> Bool {
        guard case .lingering(var lingering) = phase else { return false }
        defer { phase = .lingering(lingering) }
        return lingering.outputWasSent()
    }

    /// Returns whether the resources of the connection must be released; `false` if it is already closed.
    mutating func close() -> Bool {
        defer { phase = .closed }
        return !isClosed
    }
}
