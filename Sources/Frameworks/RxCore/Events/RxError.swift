/// An error that an operator or a subject reports.
public enum RxError: Error, @unchecked Sendable {
    // Unchecked because of the object in `disposed`, which is used only to name it in a message. Code that casts and
    // uses it must run where the object may be used.
    /// An unspecified error.
    case unknown
    /// The object was disposed of and cannot be used.
    case disposed(object: AnyObject)
    /// A counter overflowed.
    case overflow
    /// An argument is out of range.
    case argumentOutOfRange
    /// The observable completed without the requested element.
    case noElements
    /// The observable emitted more than one element where exactly one was expected.
    case moreThanOneElement
    /// No element was received before the timeout.
    case timeout
}

extension RxError: CustomDebugStringConvertible {
    /// RxSwift's description of the error.
    public var debugDescription: String {
        switch self {
        case .unknown: "Unknown error occurred."
        case .disposed(let object): "Object `\(object)` was already disposed."
        case .overflow: "Arithmetic overflow occurred."
        case .argumentOutOfRange: "Argument out of range."
        case .noElements: "Sequence doesn't contain any elements."
        case .moreThanOneElement: "Sequence contains more than one element."
        case .timeout: "Sequence timeout."
        }
    }
}
