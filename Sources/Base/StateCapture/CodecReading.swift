@_spi(Reflection) import Swift

/// Finds how the values of a type are stored.
///
/// A type that is `Codable` encodes itself. Other structures are stored by their fields, enumerations by the name of the
/// case with its associated values, and collections by their elements, so that the state of an app that was written
/// without a server in mind can be captured unchanged.
package struct CodecReading {
    /// The obstacles to a capture, in the order in which they were found.
    package private(set) var obstacles: [CaptureObstacle] = []
    private var openTypes: Set<ObjectIdentifier> = []

    init() {}

    /// Returns the codec of a type. Returns nil and records an obstacle if its values cannot be captured.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - path: The names from the root to the value, for obstacles.
    package mutating func codec<Value>(of type: Value.Type, at path: String) -> StateCodec<Value>? {
        if let codec = StateCodec<Value>.ofCodable() { return codec }
        // A type that contains itself: its codec is looked up when a value is encoded.
        guard openTypes.insert(ObjectIdentifier(type)).inserted else { return deferred(type, path) }
        defer { openTypes.remove(ObjectIdentifier(type)) }
        if let composite = StateTypes.role(of: type, as: (any CompositeState.Type).self) {
            return composed(composite, at: path) as? StateCodec<Value>
        }
        switch MetadataKind(of: type) {
        case .structure:
            guard let fields = fields(of: type, at: path) else { return nil }
            return .fields(fields)
        case .enumeration:
            if let reading = EnumerationMetadata.reading, let cases = reading.cases(of: type) {
                return enumeration(type, cases, reading, at: path)
            }
        case .tuple:
            let elements = StateTypes.elements(of: type) ?? []
            let found = elements.enumerated().map { (name: "\($0)", offset: $1.offset, type: $1.type) }
            guard let fields = fields(found, at: path) else { return nil }
            return .fields(fields)
        case .optional, .function, .other: break
        }
        refuse(type, at: path)
        return nil
    }

    /// Records a value that cannot be captured.
    package mutating func refuse(_ type: any Any.Type, at path: String) {
        obstacles.append(CaptureObstacle(part: path, type: String(reflecting: type)))
    }

    private mutating func composed<Composite: CompositeState>(_ type: Composite.Type, at path: String) -> Any? {
        Composite.stateCodec(&self, at: path)
    }

    private func deferred<Value>(_ type: Value.Type, _ path: String) -> StateCodec<Value> {
        func codec() throws -> StateCodec<Value> {
            var reading = CodecReading()
            guard let codec = KnownCodecs.codec(of: type, &reading, at: "") else {
                throw StateFormMismatch(expected: String(reflecting: type))
            }
            return codec
        }
        return StateCodec {
            try codec().encode($0, &$1)
        } decode: {
            try codec().decode($0)
        }
    }

    private mutating func fields(of type: any Any.Type, at path: String) -> [FieldCodec]? {
        var found: [(name: String, offset: Int, type: any Any.Type)] = []
        _ = _forEachField(of: type) { name, offset, type, _ in
            found.append((String(cString: name), offset, type))
            return true
        }
        return fields(found, at: path)
    }

    private mutating func fields(
        _ found: [(name: String, offset: Int, type: any Any.Type)], at path: String
    ) -> [FieldCodec]? {
        var fields: [FieldCodec] = []
        for field in found {
            let place = "\(path).\(FieldName.inSource(field.name))"
            func add<Value>(_ type: Value.Type) {
                guard let codec = codec(of: type, at: place) else { return }
                fields.append(FieldCodec(field.name, at: field.offset, codec))
            }
            _openExistential(field.type, do: add)
        }
        // All or nothing: a value cannot be created without one of its fields.
        return fields.count == found.count ? fields : nil
    }

    private mutating func enumeration<Value>(
        _ type: Value.Type, _ cases: [EnumerationCase], _ reading: any EnumerationReading.Type, at path: String
    ) -> StateCodec<Value>? {
        var forms: [CaseForm<Value>] = []
        for (tag, found) in cases.enumerated() {
            guard found.canBeCreated else {
                refuse(type, at: "\(path).\(found.name)")
                continue
            }
            guard let payload = found.payload else {
                forms.append(CaseForm(name: found.name, tag: tag, reading))
                continue
            }
            let fields = fields(found.values, at: "\(path).\(found.name)")
            func form<Payload>(_ payload: Payload.Type) -> CaseForm<Value>? {
                fields.map { CaseForm(name: found.name, tag: tag, .fields($0) as StateCodec<Payload>, reading) }
            }
            if let form = _openExistential(payload, do: form) { forms.append(form) }
        }
        return forms.count == cases.count ? .cases(forms, reading) : nil
    }
}

/// The names of stored properties.
enum FieldName {
    /// Returns the name in the source: without the underscore of a property wrapper's storage and without the prefix of
    /// a lazy property's.
    static func inSource(_ name: String) -> String {
        let lazy = "$__lazy_storage_$_"
        if name.hasPrefix(lazy) { return String(name.dropFirst(lazy.count)) }
        return name.hasPrefix("_") ? String(name.dropFirst()) : name
    }
}
