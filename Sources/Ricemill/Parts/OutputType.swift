/// The outputs of a machine: a structure or class of publishers, `@Published` properties and values. A view reads them
/// through an ``OutputProxy``.
public protocol OutputType {}
