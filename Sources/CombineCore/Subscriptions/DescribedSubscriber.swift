/// A subscriber that calls itself after its operator. It is a value that stands between two links.
@usableFromInline
protocol DescribedSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {}

extension DescribedSubscriber {
    /// The name of the operator.
    @usableFromInline var description: String { LinkName.of(Self.self) }

    /// A mirror without children.
    @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    @usableFromInline var playgroundDescription: Any { description }
}
