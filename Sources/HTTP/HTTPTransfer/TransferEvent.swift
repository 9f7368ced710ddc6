/// An event of a request. The events are a head, any number of parts of the content, and one end. A failure can take the place of
/// any of them and is the last event.
package enum TransferEvent: Sendable {
    case head(TransferHead)
    /// A part of the decompressed content.
    case bytes([UInt8])
    /// The response is complete. A response without a declared length is complete when its connection closes.
    case finished
    /// The request or its response was lost.
    case failed(TransferFailure)
}

package struct TransferHead: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)]
}

package struct TransferResponse: Sendable {
    package var head: TransferHead
    /// The decompressed content.
    package var body: [UInt8]
}
