/// The result of throwing work, comparable so that actions can carry it.
public enum TaskResult<Success: Sendable>: Sendable {
    /// The work returned a value.
    case success(Success)
    /// The work threw an error.
    case failure(any Error)

    /// Runs `body` and stores its result.
    public init(catching body: @Sendable () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }

    /// Returns the value, or throws the error.
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
    /// Returns whether both are equal values or equal errors. Errors that are not `Equatable` are equal if they have
    /// the same type and the same description.
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

extension TaskResult: Hashable where Success: Hashable {
    /// Hashes the value, or the error: one that is not `Hashable` by its type.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .success(let value):
            hasher.combine(true)
            hasher.combine(value)
        case .failure(let error):
            hasher.combine(false)
            let value: Any = error
            if let value = value as? any Hashable {
                hasher.combine(AnyHashable(value))
            } else {
                hasher.combine(ObjectIdentifier(type(of: error)))
            }
        }
    }
}
