/// Records the single value that a type requests.
struct SchemaSingleValueContainer: SingleValueDecodingContainer {
    let recorder: SchemaRecorder
    let frame: SchemaFrame
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool {
        frame.becomeNullable()
        return false
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try take(type) }

    func decode(_ type: Bool.Type) throws -> Bool { try take(type) }
    func decode(_ type: String.Type) throws -> String { try take(type) }
    func decode(_ type: Double.Type) throws -> Double { try take(type) }
    func decode(_ type: Float.Type) throws -> Float { try take(type) }
    func decode(_ type: Int.Type) throws -> Int { try take(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try take(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try take(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try take(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try take(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try take(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try take(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try take(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try take(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try take(type) }

    private func take<T: Decodable>(_ type: T.Type) throws -> T {
        if frame.refuses {
            frame.refusals += 1
            throw DecodingError.typeMismatch(type, .init(codingPath: codingPath, debugDescription: "refused on trial"))
        }
        frame.become(recorder.schema(of: type))
        if let value = frame.raw?.first as? T { return value }
        return try SchemaDecoder.scalar(type, recorder, frame)
    }
}
