/// Records the elements that a type requests. A type that expects a fixed number of elements receives as many; one that
/// checks for the end finds it after the first element.
struct SchemaUnkeyedContainer: UnkeyedDecodingContainer {
    let recorder: SchemaRecorder
    let frame: SchemaFrame
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    var count: Int? { nil }
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        currentIndex += 1
        frame.noteElement(.schema(recorder.schema(of: type)))
        return try SchemaDecoder.scalar(type, recorder, frame)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try inner().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try inner().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { inner() }

    private mutating func inner() -> SchemaDecoder {
        currentIndex += 1
        let nested = frame.nested()
        frame.noteElement(.frame(nested))
        return SchemaDecoder(recorder: recorder, frame: nested, codingPath: codingPath)
    }
}
