import StateCapture

/// A generic type of the standard library whose schema follows from its parameters, which need not be `Decodable`.
protocol SchemaContainer: TypeRole {
    /// Returns the schema. The recorder finds those of the parameters.
    static func schema(from recorder: SchemaRecorder) -> JSONSchema
    static var empty: Any { get }
}

extension Optional: SchemaContainer {
    static func schema(from recorder: SchemaRecorder) -> JSONSchema { recorder.schema(of: Wrapped.self).orNull }
    static var empty: Any { Self.none as Any }
}

extension Array: SchemaContainer {
    static func schema(from recorder: SchemaRecorder) -> JSONSchema { .array(recorder.schema(of: Element.self)) }
    static var empty: Any { Self() }
}

extension ArraySlice: SchemaContainer {
    static func schema(from recorder: SchemaRecorder) -> JSONSchema { .array(recorder.schema(of: Element.self)) }
    static var empty: Any { Self() }
}

extension ContiguousArray: SchemaContainer {
    static func schema(from recorder: SchemaRecorder) -> JSONSchema { .array(recorder.schema(of: Element.self)) }
    static var empty: Any { Self() }
}

extension Set: SchemaContainer {
    static func schema(from recorder: SchemaRecorder) -> JSONSchema { .array(recorder.schema(of: Element.self)) }
    static var empty: Any { Self() }
}

extension Dictionary: SchemaContainer {
    /// Keys that are texts, whole numbers or `CodingKeyRepresentable` make an object; a dictionary with any other keys
    /// is written as a list in which keys and values alternate.
    static func schema(from recorder: SchemaRecorder) -> JSONSchema {
        let makesObject = Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
        return makesObject ? .dictionary(recorder.schema(of: Value.self)) : .array(.any)
    }

    static var empty: Any { Self() }
}
