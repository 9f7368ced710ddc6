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
