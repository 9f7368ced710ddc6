/// The inputs of a stream: a structure or class of relays and subjects.
public protocol InputType {}
