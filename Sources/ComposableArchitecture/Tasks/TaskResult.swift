/// What came of work that may throw, for actions that have to be compared.
public enum TaskResult<Success: Sendable>: Sendable {
    /// It went well.
    case success(Success)
    /// It threw.
    case failure(any Error)

    /// Does the work and keeps what comes of it.
    public init(catching body: @Sendable () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }

    /// The value, or throws the error.
    public var value: Success {
        get throws {
            switch self {
            case .success(let value): return value
            case .failure(let error): throw error
            }
        }
    }
}

extension TaskResult: Equatable where Success: Equatable {
    /// Whether both are equal values, or errors that are equal; errors that cannot be compared are equal if they are of one
    /// type and described alike.
    public static func == (lhs: TaskResult, rhs: TaskResult) -> Bool {
        switch (lhs, rhs) {
        case (.success(let lhs), .success(let rhs)): lhs == rhs
        case (.failure(let lhs), .failure(let rhs)): isEqual(lhs, rhs)
        default: false
        }
    }

    private static func isEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
        func compare<E: Equatable>(_ lhs: E) -> Bool { lhs == rhs as? E }
        let value: Any = lhs
        if let lhs = value as? any Equatable { return compare(lhs) }
        return type(of: lhs) == type(of: rhs) && String(describing: lhs) == String(describing: rhs)
    }
}
