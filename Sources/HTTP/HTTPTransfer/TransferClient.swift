import Locking

/// Sends HTTP requests with libcurl, over connections that its requests share.
///
/// It verifies certificates with those of the system, decompresses content, and has no cookies, caches or stored credentials. Like
/// other programs with libcurl, it uses the proxy that `http_proxy`, `https_proxy` and `no_proxy` name. When the client is released,
/// its transfers are cancelled, and its connections close.
package final class TransferClient: Sendable {
    /// The number of redirects that a transfer follows.
    package static let maxRedirects = 5

    private let loop = TransferLoop()

    /// Creates a client. It uses no thread and no connection while no transfer is in flight.
    package init() {}

    deinit { loop.close() }

    /// Starts a transfer.
    ///
    /// - Parameter receive: Receives the transfer and each event, the last of which is ``TransferEvent/finished`` or
    ///   ``TransferEvent/failed(_:)``. Called on the client's queue, where it delays other transfers, and never inside `start`.
    /// - Returns: The transfer, which can be cancelled. It need not be retained.
    @discardableResult
    package func start(
        _ request: TransferRequest, receive: @escaping @Sendable (Transfer, TransferEvent) -> Void
    ) -> Transfer {
        let transfer = Transfer(on: loop)
        loop.add(TransferLoop.Start(request: request, transfer: transfer, receive: receive))
        return transfer
    }

    /// Starts a transfer whose response is collected.
    ///
    /// - Parameters:
    ///   - request: The request, whose `maxBytes` limits the memory for the response.
    ///   - finish: Receives the result exactly once, like the events of ``start(_:receive:)``.
    package func collect(
        _ request: TransferRequest, finish: @escaping @Sendable (Result<TransferResponse, TransferFailure>) -> Void
    ) -> Transfer {
        let response = Lock(TransferResponse(head: TransferHead(status: 0, fields: []), body: []))
        return start(request) { _, event in
            switch event {
            case .head(let head): response.withLock { $0.head = head }
            case .bytes(let bytes): response.withLock { $0.body += bytes }
            case .finished: finish(.success(response.withLock(\.self)))
            case .failed(let failure): finish(.failure(failure))
            }
        }
    }
}
