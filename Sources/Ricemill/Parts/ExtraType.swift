/// Everything that a machine needs from outside: clients, schedulers, settings. Given to its initialiser, seen by
/// ``ResolverType/polish(input:store:extra:)`` only.
public protocol ExtraType {}
