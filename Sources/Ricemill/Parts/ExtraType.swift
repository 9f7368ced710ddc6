/// The external dependencies of a machine: clients, schedulers, settings. They are passed to its initializer and
/// visible only to ``ResolverType/polish(input:store:extra:)``.
public protocol ExtraType {}
