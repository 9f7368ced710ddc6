/// A type whose instances can be distinguished while they take part in a stream.
public protocol CustomCombineIdentifierConvertible {
    /// The identity of this instance.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The identity of the object.
    @inlinable
    public var combineIdentifier: CombineIdentifier {
        CombineIdentifier(self)
    }
}
