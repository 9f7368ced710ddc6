/// An event of a request. The events are a head, any number of parts of the content, and one end. A failure can take the place of
/// any of them and is the last event.
package enum TransferEvent: Sendable {
    /// The head of the response.
    case head(TransferHead)
    /// A part of the decompressed content.
    case bytes([UInt8])
    /// The response is complete. A response without a declared length is complete when its connection closes.
    case finished
    /// The request or its response was lost.
    case failed(TransferFailure)
}

/// The head of a response.
package struct TransferHead: Sendable {
    /// The status code.
    package var status: Int
    /// The names and values of the header fields.
    package var fields: [(name: String, value: String)]
}

/// A complete response.
package struct TransferResponse: Sendable {
    /// The head.
    package var head: TransferHead
    /// The decompressed content.
    package var body: [UInt8]
}
