import JSONText

/// Records the members that a type requests.
struct SchemaKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: SchemaRecorder
    let frame: SchemaFrame
    let codingPath: [any CodingKey]

    /// The key that the frame selects, if the possible keys can be found.
    var allKeys: [Key] {
        let keys = PlainEnumeration.cases(of: Key.self)
        guard keys.indices.contains(frame.choice) else {
            // A type that asks which keys exist, and whose keys are arbitrary, accepts any members.
            frame.becomeOpen()
            return []
        }
        frame.choices = keys.count
        return [keys[frame.choice]]
    }

    // Report that every member exists, so that the type decodes it.
    func contains(_ key: Key) -> Bool {
        frame.noteOptional(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        frame.noteNullable(key.stringValue)
        return false
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        frame.note(.schema(recorder.schema(of: type)), at: key.stringValue)
        return try SchemaDecoder.scalar(type, recorder, frame)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        frame.noteOptional(key.stringValue)
        frame.noteNullable(key.stringValue)
        frame.note(.schema(recorder.schema(of: type)), at: key.stringValue)
        // A value that is nested in a value of its own type is reported as absent. Otherwise decoding would not end.
        return recorder.isExploring(type) ? nil : try SchemaDecoder.scalar(type, recorder, frame)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try inner(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { inner(JSONSuperKey()) }

    func superDecoder(forKey key: Key) throws -> any Decoder { inner(key) }

    private func inner(_ key: any CodingKey) -> SchemaDecoder {
        let nested = frame.nested()
        frame.note(.frame(nested), at: key.stringValue)
        return SchemaDecoder(recorder: recorder, frame: nested, codingPath: codingPath + [key])
    }
}
