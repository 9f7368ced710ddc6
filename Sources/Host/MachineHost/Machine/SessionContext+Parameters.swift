import Log

extension SessionContext {
    /// Returns the parameters with which the session was created, also when it is restored.
    ///
    /// A factory whose registration names the type of its parameters receives them as its second argument and needs this for code
    /// that has the context only.
    ///
    /// - Parameter type: The type that the registration of the machine names.
    /// - Throws: ``ParametersMismatch`` if the registration names another type or none, and in the context of a machine that is
    ///   only inspected.
    public func parameters<Parameters: Sendable>(as type: Parameters.Type = Parameters.self) throws -> Parameters {
        guard let value = creation?.value else { throw ParametersMismatch(expected: type, found: nil) }
        guard let parameters = value as? Parameters else {
            throw ParametersMismatch(expected: type, found: Swift.type(of: value))
        }
        return parameters
    }

    /// Whether the session has decoded parameters.
    package var hasParameters: Bool { creation?.value != nil }
}

/// The error of a machine that reads its parameters as another type than its registration names.
public struct ParametersMismatch: LoggableError, CustomStringConvertible {
    /// The expected and the found type, as a clause.
    public let description: String

    init(expected: any Any.Type, found: (any Any.Type)?) {
        description =
            "expected parameters of the type \(expected), which the registration of the machine must name, got "
            + (found.map { "those of the type \($0)" } ?? "none")
    }
}
