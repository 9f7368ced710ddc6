import CCurl
import Dispatch
import Locking

/// The transfers of a client in flight, on a serial queue. It occupies a thread only while there are any.
///
/// Sendable because `multi` and `running` are used only on the queue, except that other threads wake the multi handle, as libcurl
/// permits, while `inbox` is locked and has it.
final class TransferLoop: @unchecked Sendable {
    /// A transfer that has not begun.
    struct Start: Sendable {
        var request: TransferRequest
        var transfer: Transfer
        var receive: @Sendable (Transfer, TransferEvent) -> Void
    }

    private struct Inbox {
        var starts: [Start] = []
        var isRunning = false
        var isClosed = false
        var multi: UnsafeMutableRawPointer?
    }

    // libcurl requires it before anything else. FoundationNetworking may have done so already, which is no error.
    private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let inbox = Lock(Inbox())
    private let queue = DispatchQueue(label: "granary.transfers")
    private var multi: UnsafeMutableRawPointer?
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    func add(_ start: Start) { notify { $0.starts.append(start) } }

    /// Looks for cancelled transfers.
    func wake() { notify { _ in } }

    /// Cancels all transfers and closes all connections.
    func close() { notify { $0.isClosed = true } }

    private func notify(_ change: (inout Inbox) -> Void) {
        let isIdle = inbox.withLock { inbox in
            change(&inbox)
            defer { inbox.isRunning = true }
            if inbox.isRunning, let multi = inbox.multi { curl_multi_wakeup(multi) }
            return !inbox.isRunning
        }
        if isIdle { queue.async { [self] in run() } }
    }

    private func run() {
        dispatchPrecondition(condition: .onQueue(queue))
        while let starts = takeStarts() {
            for start in starts { begin(start) }
            end { $0.isCancelled ? .cancelled : nil }
            exchange()
        }
    }

    /// Returns the transfers to begin; nil if nothing is left to do.
    private func takeStarts() -> [Start]? {
        let (starts, isRunning, isClosed) = inbox.withLock { inbox in
            defer { inbox.starts = [] }
            inbox.isRunning = !inbox.isClosed && !(inbox.starts.isEmpty && running.isEmpty)
            if inbox.isClosed { inbox.multi = nil }
            return (inbox.starts, inbox.isRunning, inbox.isClosed)
        }
        if isClosed { endAll(starts) }
        return isRunning ? starts : nil
    }

    private func endAll(_ starts: [Start]) {
        for start in starts { start.receive(start.transfer, .failed(.cancelled)) }
        end { _ in .cancelled }
        if let multi { curl_multi_cleanup(multi) }
        multi = nil
    }

    private func begin(_ start: Start) {
        let new = CurlTransfer(start, at: .now)
        do throws(TransferFailure) {
            let easy = try new.open()
            try add(easy)
            running[easy] = new
        } catch {
            new.end(with: .failed(error))
        }
    }

    private func add(_ easy: UnsafeMutableRawPointer) throws(TransferFailure) {
        if multi == nil { multi = openMulti() }
        guard let multi, curl_multi_add_handle(multi, easy) == CURLM_OK else {
            throw .unreachable("libcurl has no memory or no descriptor")
        }
    }

    private func openMulti() -> UnsafeMutableRawPointer? {
        guard Self.isInitialized, let new = curl_multi_init() else { return nil }
        // It fails without a descriptor for wakeups. Otherwise, the first wait ends immediately, so that no earlier wakeup is missed.
        guard curl_multi_wakeup(new) == CURLM_OK else {
            curl_multi_cleanup(new)
            return nil
        }
        inbox.withLock { $0.multi = new }
        return new
    }

    /// Ends the transfers for which a function returns a failure.
    private func end(with failure: (CurlTransfer) -> TransferFailure?) {
        for (easy, transfer) in running {
            guard let failure = failure(transfer) else { continue }
            curl_multi_remove_handle(multi, easy)
            running.removeValue(forKey: easy)
            transfer.end(with: .failed(failure))
        }
    }

    /// Sends and receives what is possible, and then waits for more.
    private func exchange() {
        guard let multi else { return }
        var count: Int32 = 0
        var status = curl_multi_perform(multi, &count)
        while let message = curl_multi_info_read(multi, &count) {
            if let easy = message.pointee.easy_handle { exchangeEnded(easy, message.pointee.data.result) }
        }
        // Only now: what arrived while this thread was delayed counts.
        let now = ContinuousClock.now
        end { $0.deadline.map { $0 <= now } == true ? .timedOut : nil }
        if status == CURLM_OK, !running.isEmpty { status = curl_multi_poll(multi, nil, 0, patience, nil) }
        guard status != CURLM_OK else { return }
        end { _ in .cutOff(hasHead: false, String(cString: curl_multi_strerror(status))) }
    }

    private func exchangeEnded(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        curl_multi_remove_handle(multi, easy)
        guard let transfer = running.removeValue(forKey: easy), transfer.exchangeEnded(code) else { return }
        do throws(TransferFailure) {
            try add(easy)
            running[easy] = transfer
        } catch {
            transfer.end(with: .failed(error))
        }
    }

    /// The milliseconds until the next deadline.
    private var patience: Int32 {
        guard let deadline = running.values.compactMap(\.deadline).min() else { return .max }
        let time = (deadline - .now).components
        // Rounded up, so that the deadline has passed.
        let milliseconds = min(time.seconds, 1_000_000) * 1000 + time.attoseconds / 1_000_000_000_000_000 + 1
        return Int32(max(milliseconds, 0))
    }
}
