import HTTPModel
import Locking

/// The documents about the host and its machines, each written once for each set of outputs that a requester can see.
final class HostDocuments: Sendable {
    struct Document: Sendable {
        let content: [UInt8]
        let tag: HTTPEntityTag
    }

    /// The subject of a document, its form, and the requester's view of it.
    struct Subject: Hashable, Sendable {
        var form: DescriptionForm
        /// The name of the machine; nil for the host.
        var machine: String?
        /// The credentials that clients need in order to use the host.
        var access: HostDescription.Access
        /// The views of the machines that the requester has; 0 for all outputs.
        var views: [UInt32]
    }

    /// The number of documents that are kept. Programs have few views, and a document that is not kept is written again.
    private static let capacity = 64

    private let write: @Sendable (HostDescription) -> [UInt8]
    private let documents = Lock<[Subject: Document]>([:])

    init(_ write: @escaping @Sendable (HostDescription) -> [UInt8]) {
        self.write = write
    }

    /// Returns the document about a subject.
    ///
    /// - Parameter describe: Returns the description that the document contains. Called if the document was not kept.
    func document(about subject: Subject, _ describe: () -> HostDescription) -> Document {
        if let document = documents.withLock({ $0[subject] }) { return document }
        // Without the lock: writing a large document takes time, and other loops need theirs.
        let content = write(describe())
        let document = Document(content: content, tag: HTTPEntityTag(fingerprintOf: content))
        documents.withLock { documents in
            if documents.count < HostDocuments.capacity { documents[subject] = document }
        }
        return document
    }
}
