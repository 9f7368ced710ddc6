/// What can go wrong with a stream itself.
public enum RxError: Error, @unchecked Sendable {
    // Sendable because the object of `disposed` is there to be named in a message; whoever casts and uses it has to be where
    // it may be used.
    /// Something that has no name here.
    case unknown
    /// The object has been disposed of and cannot be used any more.
    case disposed(object: AnyObject)
    /// A number that was counted has become too large.
    case overflow
    /// An argument is out of the range of what it selects from.
    case argumentOutOfRange
    /// The stream ended without the element that was asked for.
    case noElements
    /// The stream had more elements than the one that was asked for.
    case moreThanOneElement
    /// Nothing came in time.
    case timeout
}

extension RxError: CustomDebugStringConvertible {
    /// One sentence that says what happened.
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
