/// A link that is no subscription of its own: it shows itself to upstream under the name of its operator.
@usableFromInline
protocol NamedLink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {}

extension NamedLink {
    @usableFromInline var description: String { LinkName.of(Self.self) }

    @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    @usableFromInline var playgroundDescription: Any { description }
}
