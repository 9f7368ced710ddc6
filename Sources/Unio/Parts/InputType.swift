/// What a view tells a stream: a structure or class of relays and subjects.
public protocol InputType {}
