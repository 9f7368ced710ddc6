import Foundation
import HTTPTransfer

/// All events of a transfer.
struct Recording {
    var heads: [TransferHead] = []
    var body: [UInt8] = []
    /// What ended the transfer; nil for a complete response.
    var failures: [TransferFailure?] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether the transfer failed because its connection closed.
    func isCutOff(hasHead: Bool) -> Bool {
        if case .cutOff(hasHead, _)? = failures.first ?? nil { true } else { false }
    }

    mutating func add(_ event: TransferEvent) {
        switch event {
        case .head(let head): heads.append(head)
        case .bytes(let bytes): body += bytes
        case .finished: failures.append(nil)
        case .failed(let failure): failures.append(failure)
        }
    }
}

extension TransferClient {
    /// Runs a transfer to its end.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - started: Called when `start` has returned.
    ///   - watch: Called with each event, on the client's queue.
    func record(
        _ request: TransferRequest, started: (Transfer) -> Void = { _ in },
        watch: @escaping @Sendable (Transfer, TransferEvent) -> Void = { _, _ in }
    ) async -> Recording {
        let (events, continuation) = AsyncStream.makeStream(of: TransferEvent.self)
        let transfer = start(request) { transfer, event in
            watch(transfer, event)
            continuation.yield(event)
            switch event {
            case .finished, .failed: continuation.finish()
            case .head, .bytes: break
            }
        }
        started(transfer)
        var recording = Recording()
        for await event in events { recording.add(event) }
        return recording
    }
}
