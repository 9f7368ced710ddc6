/// A type that can be told apart from others while it takes part in a stream.
public protocol CustomCombineIdentifierConvertible {
    /// What this instance is known by.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The identity of the object.
    @inlinable
    public var combineIdentifier: CombineIdentifier {
        CombineIdentifier(self)
    }
}
