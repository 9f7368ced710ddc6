package import Foundation

/// One request on its way: what has come of its answer, and what to do about each further event.
package struct Transfer {
    /// What an event asks the owner to do.
    package enum Reaction: Equatable {
        /// Let it go on.
        case proceed
        /// Stop the task; this is why.
        case stop(TransferFailure)
    }

    /// How many redirects are followed.
    package static let redirectLimit = 5

    private let origin: Origin
    private let bodyLimit: Int
    private var redirects = 0
    private var answer: Answer?

    /// A request that was sent to that origin.
    package init(origin: Origin, bodyLimit: Int) {
        self.origin = origin
        self.bodyLimit = bodyLimit
    }

    /// An answer asks to look elsewhere.
    ///
    /// - Returns: Whether to follow: to the same scheme, host and port only, since the request carries the token, and
    ///   not for ever. What is not followed becomes the answer.
    package mutating func redirected(to url: URL?) -> Bool {
        redirects += 1
        return redirects <= Self.redirectLimit && url.flatMap(Origin.init) == origin
    }

    /// The head of an answer; it replaces that of a redirect.
    package mutating func headArrived(status: Int, fields: AnswerFields, expectedBytes: Int64) -> Reaction {
        answer = Answer(status: status, fields: fields)
        return expectedBytes > Int64(bodyLimit) ? .stop(.bodyOverLimit(bodyLimit)) : .proceed
    }

    /// A part of the content, which comes after a head.
    package mutating func bodyArrived(_ part: Data) -> Reaction {
        guard part.count <= bodyLimit - (answer?.body.count ?? 0) else { return .stop(.bodyOverLimit(bodyLimit)) }
        answer?.body.append(part)
        return .proceed
    }

    /// The end: the answer if all of it is there, otherwise why not.
    package func ended(with failure: (code: Int, text: String)?) -> Result<Answer, TransferFailure> {
        if let failure {
            return .failure(.transport(code: failure.code, text: failure.text, hadBegun: answer != nil))
        }
        guard let answer else {
            return .failure(.transport(code: URLError.badServerResponse.rawValue, text: "no answer", hadBegun: false))
        }
        return .success(answer)
    }
}
