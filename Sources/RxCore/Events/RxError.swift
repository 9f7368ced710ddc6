/// An error that an operator or a subject reports.
public enum RxError: Error, @unchecked Sendable {
    // Unchecked because of the object in `disposed`, which serves only to be named in a message. Code that casts and
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
        case .unknown: "Something went wrong that has no name."
        case .disposed(let object): "\(object) has been disposed of and is not to be used any more."
        case .overflow: "A number that is counted has become too large."
        case .argumentOutOfRange: "An argument lies outside of what it selects from."
        case .noElements: "The stream ended without the element that was asked for."
        case .moreThanOneElement: "The stream had more elements than the one that was asked for."
        case .timeout: "Nothing came in time."
        }
    }
}
