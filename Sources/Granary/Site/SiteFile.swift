import HTTPModel

/// A file of the page, before it is known how it is served.
struct SiteFile: Sendable {
    /// The path at which it is found.
    let path: String
    let contentType: HTTPFieldValue
    let content: [UInt8]
}
