package import Foundation
import HTTPTransfer

/// A complete HTTP response.
package struct Response {
    /// The status code.
    package var status: Int
    /// The header fields.
    package var fields: ResponseFields
    /// The decompressed content.
    package var body: Data

    /// Creates a response from its parts.
    package init(status: Int, fields: ResponseFields = [:], body: Data = Data()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Creates a response from one that was received.
    init(_ received: TransferResponse) {
        self.init(
            status: received.head.status, fields: ResponseFields(received.head.fields.map { ($0.name, $0.value) }),
            body: Data(received.body))
    }
}
