/// What a view model inherits from: `final class CounterStream: UnioStream<CounterStream>` with its parts as nested types
/// and a `static func bind`.
///
/// The alias names none of its argument's associated types: a class that names itself in its superclass would be a
/// circular reference otherwise.
public typealias UnioStream<Logic: LogicType> = PrimitiveStream<Logic> & LogicType

/// The name under which the same form was known while ``UnioStream`` had another.
public enum SR12081 {
    /// See ``Unio/UnioStream``.
    @available(*, deprecated, message: "Use `UnioStream`, which has this form.")
    public typealias UnioStream<Logic: LogicType> = PrimitiveStream<Logic> & LogicType
}
