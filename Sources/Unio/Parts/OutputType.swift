/// The outputs of a stream: a structure or class of observables, relays, properties and computed values.
public protocol OutputType {}
