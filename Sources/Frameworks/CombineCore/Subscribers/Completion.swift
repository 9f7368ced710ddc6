extension Subscribers {
    /// The way in which a stream ended.
    @frozen
    public enum Completion<Failure: Error> {
        /// The stream delivered all of its values.
        case finished

        /// The stream ended early with an error.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable {}

extension Subscribers.Completion {
    /// Returns the same completion with an error converted by `transform`.
    @inlinable
    func mapError<NewFailure: Error>(_ transform: (Failure) -> NewFailure) -> Subscribers.Completion<NewFailure> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure(transform(error))
        }
    }
}

private enum CompletionKeys: String, CodingKey {
    case success
    case error
}

extension Subscribers.Completion: Decodable where Failure: Decodable {
    /// Creates a completion from `{"success": true}` or `{"success": false, "error": …}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CompletionKeys.self)
        if try container.decode(Bool.self, forKey: .success) {
            self = .finished
        } else {
            self = .failure(try container.decode(Failure.self, forKey: .error))
        }
    }
}

extension Subscribers.Completion: Encodable where Failure: Encodable {
    /// Encodes the completion as `{"success": true}` or `{"success": false, "error": …}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CompletionKeys.self)
        switch self {
        case .finished:
            try container.encode(true, forKey: .success)
        case .failure(let error):
            try container.encode(false, forKey: .success)
            try container.encode(error, forKey: .error)
        }
    }
}
