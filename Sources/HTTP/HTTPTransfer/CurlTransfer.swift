import CCurl

/// A transfer with its handle and the receiver of its events. Confined to the queue of its loop.
final class CurlTransfer {
    private let start: TransferLoop.Start
    private var progress: TransferProgress
    private var handle: CurlHandle?

    init(_ start: TransferLoop.Start, at now: ContinuousClock.Instant) {
        self.start = start
        progress = TransferProgress(start.request, at: now)
    }

    /// Creates libcurl's handle. It must be removed from its multi handle before this object is released.
    func open() throws(TransferFailure) -> UnsafeMutableRawPointer {
        if isCancelled { throw .cancelled }
        if let problem = start.request.problem { throw problem }
        let receiver = Unmanaged.passUnretained(self).toOpaque()
        let handle = try CurlHandle(
            start.request,
            line: { bytes, size, count, receiver in
                CurlTransfer.from(receiver).takeLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
            },
            content: { bytes, size, count, receiver in
                CurlTransfer.from(receiver).takeBytes(UnsafeRawBufferPointer(start: bytes, count: size * count))
            }, receiver: receiver)
        self.handle = handle
        return handle.easy
    }

    /// The time at which the transfer fails unless something arrives before.
    var deadline: ContinuousClock.Instant? { progress.deadline }

    var isCancelled: Bool { start.transfer.isCancelled }

    /// Handles the end of an exchange. Returns whether another one follows.
    func exchangeEnded(_ code: CURLcode) -> Bool {
        do throws(TransferFailure) {
            switch progress.ended(with: handle?.failure(code)) {
            case .finish: end(with: .finished)
            case .fail(let failure): throw failure
            case .follow(let url):
                try handle?.setTarget(url)
                return true
            }
        } catch {
            end(with: .failed(error))
        }
        return false
    }

    /// Passes the last event on.
    func end(with event: TransferEvent) {
        start.receive(start.transfer, isCancelled ? .failed(.cancelled) : event)
    }

    private static func from(_ receiver: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let receiver else { preconditionFailure("libcurl called a receiver without its argument") }
        return Unmanaged<CurlTransfer>.fromOpaque(receiver).takeUnretainedValue()
    }

    /// Returns the number of bytes that were handled. Any other number than that of the line ends the exchange.
    private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
        guard perform(progress.lineArrived(byteCount: line.count, at: .now), .bytes([])) else { return 0 }
        guard line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n"), let head = handle?.head else {
            return line.count
        }
        let location = head.fields.first { $0.name.lowercased() == "location" }?.value
        return perform(progress.headEnded(status: head.status, location: location), .head(head)) ? line.count : 0
    }

    private func takeBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
        let action = progress.bytesArrived(bytes.count, at: .now)
        return perform(action, .bytes([UInt8](bytes))) ? bytes.count : 0
    }

    private func perform(_ action: TransferProgress.Action, _ event: TransferEvent) -> Bool {
        guard !isCancelled else { return false }
        switch action {
        case .proceed: return true
        case .deliver:
            start.receive(start.transfer, event)
            return true
        case .stop: return false
        }
    }
}
