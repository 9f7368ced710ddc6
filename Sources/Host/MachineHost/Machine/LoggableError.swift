import Log

/// An error that provides a description for the log.
///
/// The log must not contain values of inputs or outputs, but the description of an error often quotes one: an
/// `EncodingError` quotes the value that could not be encoded. So the log contains only the type and case of an error
/// that a machine throws, unless the error conforms to this protocol.
public protocol LoggableError: Error {
    /// The description of the error, without values that a client sent or that only one client may see.
    var logDescription: String { get }
}

extension LoggableError where Self: CustomStringConvertible {
    /// The description. By conforming, the type guarantees that it is safe for the log.
    public var logDescription: String { description }
}

extension LogValue {
    /// Returns the description of an error for the log: its ``LoggableError/logDescription``, or otherwise its type
    /// with the name of the enum case and, for an `EncodingError`, the type of the value.
    static func error(_ error: any Error) -> LogValue { .text(text(of: error)) }

    /// Returns the description of an error for the log.
    static func text(of error: any Error) -> String {
        if let error = error as? any LoggableError { return error.logDescription }
        let type = String(reflecting: Swift.type(of: error))
        if case EncodingError.invalidValue(let value, _) = error {
            return "\(type).invalidValue of type \(String(reflecting: Swift.type(of: value)))"
        }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return type }
        // A case without an associated value has no children; its description is its name and contains no value.
        return "\(type).\(mirror.children.first.map { $0.label ?? "" } ?? "\(error)")"
    }
}
