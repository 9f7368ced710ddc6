/// A subscriber between two conduits that is a value type and describes itself by the name of its operator.
@usableFromInline
protocol DescribedSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {}

extension DescribedSubscriber {
    /// The name of the operator.
    @usableFromInline var description: String { LinkName.of(Self.self) }

    /// A mirror without children.
    @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    @usableFromInline var playgroundDescription: Any { description }
}
