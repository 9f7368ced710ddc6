/// The namespace of types that are publishers.
public enum Publishers {}
