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
    /// A sentence that describes the error.
    public var debugDescription: String {
        switch self {
        case .unknown: "An unspecified error occurred."
        case .disposed(let object): "\(object) was disposed of and cannot be used."
        case .overflow: "A counter overflowed."
        case .argumentOutOfRange: "An argument is out of range."
        case .noElements: "Expected an element, but the observable completed without one."
        case .moreThanOneElement: "Expected one element, but the observable emitted more."
        case .timeout: "No element was received before the timeout."
        }
    }
}
