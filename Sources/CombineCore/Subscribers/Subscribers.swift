/// The namespace of types that take values.
public enum Subscribers {}
