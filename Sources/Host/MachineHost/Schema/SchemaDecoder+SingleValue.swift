/// Records the single value that a type requests.
struct SchemaSingleValueContainer: SingleValueDecodingContainer {
    let recorder: SchemaRecorder
    let frame: SchemaFrame
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool {
        frame.becomeNullable()
        return false
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if frame.refuses {
            frame.refusals += 1
            throw DecodingError.typeMismatch(type, .init(codingPath: codingPath, debugDescription: "refused on trial"))
        }
        frame.become(recorder.schema(of: type))
        if let value = frame.raw?.first as? T { return value }
        return try SchemaDecoder.scalar(type, recorder, frame)
    }
}
