/// A decoder without input: it records the requests of a type and returns sample values.
struct SchemaDecoder: Decoder {
    let recorder: SchemaRecorder
    let frame: SchemaFrame
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        // A key type that accepts an arbitrary string accepts any member.
        frame.becomeObject(takesAnyKey: Key(stringValue: "\u{1}no type has this key\u{1}") != nil)
        return KeyedDecodingContainer(
            SchemaKeyedContainer(recorder: recorder, frame: frame, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        frame.becomeList()
        return SchemaUnkeyedContainer(recorder: recorder, frame: frame, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SchemaSingleValueContainer(recorder: recorder, frame: frame, codingPath: codingPath)
    }

    /// Returns the frame's sample value of a scalar type, or else the recorder's value.
    static func scalar<T: Decodable>(_ type: T.Type, _ recorder: SchemaRecorder, _ frame: SchemaFrame) throws -> T {
        if let value = frame.samples.value(of: type) { return value }
        return try recorder.value(of: type)
    }
}
