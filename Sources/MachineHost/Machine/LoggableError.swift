import Log

/// An error that says itself what the log may contain of it.
///
/// The log has no values of inputs and outputs, and the description of an error often quotes one: an `EncodingError` quotes
/// the value that could not be written. So the log names only the type and the case of an error that a machine throws,
/// unless the error conforms to this protocol.
public protocol LoggableError: Error {
    /// What went wrong, without anything that a client has sent or that only one client may see.
    var logDescription: String { get }
}

extension LoggableError where Self: CustomStringConvertible {
    /// The description, which the type promises to be fit for the log.
    public var logDescription: String { description }
}

extension LogValue {
    /// What the log may contain of an error: its ``LoggableError/logDescription``, or its type, with the name of its case if
    /// it is an enum and, for an `EncodingError`, the type of the value.
    static func error(_ error: any Error) -> LogValue { .text(text(of: error)) }

    private static func text(of error: any Error) -> String {
        if let error = error as? any LoggableError { return error.logDescription }
        let type = String(reflecting: Swift.type(of: error))
        if case EncodingError.invalidValue(let value, _) = error {
            return "\(type).invalidValue of type \(String(reflecting: Swift.type(of: value)))"
        }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return type }
        // Without an associated value the text is the name of the case.
        return "\(type).\(mirror.children.first.map { $0.label ?? "" } ?? "\(error)")"
    }
}
