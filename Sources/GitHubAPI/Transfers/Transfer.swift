package import Foundation

/// The state of one request in flight: collects the response and decides how to react to each event.
package struct Transfer {
    /// The reaction to an event.
    package enum Reaction: Equatable {
        /// Continue the task.
        case proceed
        /// Stop the task for this reason.
        case stop(TransferFailure)
    }

    /// The number of redirects that are followed.
    package static let redirectLimit = 5

    private let origin: Origin
    private let bodyLimit: Int
    private var redirects = 0
    private var response: Response?

    /// Creates the state of a request to an origin.
    package init(origin: Origin, bodyLimit: Int) {
        self.origin = origin
        self.bodyLimit = bodyLimit
    }

    /// Handles a redirect.
    ///
    /// - Returns: Whether to follow the redirect. If not, the redirect itself is the response.
    package mutating func redirected(to url: URL?) -> Bool {
        redirects += 1
        // The request carries the token, which must not reach another origin.
        return redirects <= Self.redirectLimit && url.flatMap(Origin.init) == origin
    }

    /// Handles the head of a response. It replaces the head of a redirect.
    package mutating func headArrived(status: Int, fields: ResponseFields, expectedBytes: Int64) -> Reaction {
        response = Response(status: status, fields: fields)
        return expectedBytes > Int64(bodyLimit) ? .stop(.bodyOverLimit(bodyLimit)) : .proceed
    }

    /// Handles a part of the content, which follows the head.
    package mutating func bodyArrived(_ part: Data) -> Reaction {
        guard part.count <= bodyLimit - (response?.body.count ?? 0) else { return .stop(.bodyOverLimit(bodyLimit)) }
        response?.body.append(part)
        return .proceed
    }

    /// Returns the complete response, or the reason why it is incomplete.
    package func ended(with failure: (code: Int, text: String)?) -> Result<Response, TransferFailure> {
        if let failure {
            return .failure(.transport(code: failure.code, text: failure.text, hadBegun: response != nil))
        }
        guard let response else {
            return .failure(.transport(code: URLError.badServerResponse.rawValue, text: "no response", hadBegun: false))
        }
        return .success(response)
    }
}
