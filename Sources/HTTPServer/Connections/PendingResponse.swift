import HTTPModel

/// A response that is still to be sent, or to be made.
enum PendingResponse {
    case ready(HTTPResponse)
    /// The responder fulfils it later. It has to be awaited on the loop whose responder returned it.
    case promised(DeferredResponse)
}
