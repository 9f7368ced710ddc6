package import Foundation

/// An answer of the network, whole.
package struct Answer {
    /// The status code.
    package var status: Int
    /// The header fields.
    package var fields: AnswerFields
    /// The content, decompressed.
    package var body: Data

    /// An answer from its parts.
    package init(status: Int, fields: AnswerFields = [:], body: Data = Data()) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
