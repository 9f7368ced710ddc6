#if !canImport(Darwin)
    import HTTPTransfer

    /// Sends requests with libcurl, all of them over the connections of one client without cookies and caches: the transport on Linux.
    ///
    /// It counts the bytes that the main actor has not handled yet. A request that exceeds the limit fails; a stream then continues
    /// from its last position.
    public final class CurlTransport: ClientTransport {
        private let client = TransferClient()
        private let maxPendingBytes: Int

        /// Creates a transport.
        ///
        /// - Parameter maxPendingBytes: The number of received bytes of one response that may wait for the main actor.
        public init(maxPendingBytes: Int = 16 << 20) { self.maxPendingBytes = maxPendingBytes }

        /// Starts a request.
        public func start(
            _ request: ClientRequest, _ receive: @escaping @MainActor (TransportEvent) -> Void
        ) -> any TransportExchange {
            let relay = EventRelay(limit: maxPendingBytes, receive)
            let outgoing = TransferRequest(
                request.url, method: request.method, fields: request.fields.map { ($0.key, $0.value) },
                body: request.body)
            let transfer = client.start(outgoing) { transfer, event in
                if !relay.pass(TransportEvent(event)) { transfer.cancel() }
            }
            return Exchange(relay, transfer)
        }

        private final class Exchange: TransportExchange {
            private let relay: EventRelay
            private let transfer: Transfer

            init(_ relay: EventRelay, _ transfer: Transfer) {
                self.relay = relay
                self.transfer = transfer
            }

            func cancel() {
                relay.close()
                transfer.cancel()
            }
        }
    }

    extension TransportEvent {
        fileprivate init(_ event: TransferEvent) {
            switch event {
            case .head(let head):
                let fields = head.fields.map { ($0.name.lowercased(), $0.value) }
                self = .head(status: head.status, fields: Dictionary(fields) { "\($0), \($1)" })
            case .bytes(let bytes): self = .bytes(bytes)
            case .finished: self = .finished
            case .failed(let failure):
                self = .failed(TransportFailure(failure.description, isUnsent: failure.isUnsent))
            }
        }
    }
#endif
