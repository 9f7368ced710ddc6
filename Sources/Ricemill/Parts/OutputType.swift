/// What a view may read of a machine: a structure or class of publishers, `@Published` properties and values, seen
/// through an ``OutputProxy``.
public protocol OutputType {}
