/// A decoder that has no JSON: it notes what a type asks for and hands out made-up values.
struct SchemaDecoder: Decoder {
    let recorder: SchemaRecorder
    let frame: SchemaFrame
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(recorder: SchemaRecorder, frame: SchemaFrame, codingPath: [any CodingKey] = []) {
        self.recorder = recorder
        self.frame = frame
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
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

    /// The value of a scalar: for types whose kind of value the frame picks.
    static func scalar<T: Decodable>(_ type: T.Type, _ recorder: SchemaRecorder, _ frame: SchemaFrame) throws -> T {
        if let value = frame.dummies.value(of: type) { return value }
        return try recorder.value(of: type)
    }
}
