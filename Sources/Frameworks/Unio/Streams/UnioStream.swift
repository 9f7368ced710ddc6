/// The superclass of a view model: `final class CounterStream: UnioStream<CounterStream>` with its parts as nested
/// types and a `static func bind`.
///
/// The alias must not name associated types of its argument. Otherwise a class that names itself in its superclass
/// would be a circular reference.
public typealias UnioStream<Logic: LogicType> = PrimitiveStream<Logic> & LogicType

/// The namespace of this form of ``UnioStream`` in earlier versions of Unio.
public enum SR12081 {
    /// See ``Unio/UnioStream``.
    @available(*, deprecated, message: "Use `UnioStream`.")
    public typealias UnioStream<Logic: LogicType> = PrimitiveStream<Logic> & LogicType
}
