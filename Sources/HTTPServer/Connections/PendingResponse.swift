import HTTPModel

/// A response that has not been sent or not even been created yet.
enum PendingResponse {
    case ready(HTTPResponse)
    /// A promise that the responder fulfils later. It must be awaited on the loop whose responder returned it.
    case promised(DeferredResponse)
}
