import StateCapture

/// Finds the schemas of types and a value of each, so that decoding can continue. Used for one schema.
final class SchemaRecorder {
    /// The recursive types, in the order in which they were completed.
    private(set) var definitions: [JSONSchema.Definition] = []
    private var schemas: [ObjectIdentifier: JSONSchema] = [:]
    /// A value of each type that could be created.
    // Includes types that are still being explored: a recursive enumeration has cases that do not contain it.
    private var values: [ObjectIdentifier: Any] = [:]
    private var exploring: Set<ObjectIdentifier> = []
    /// The names of recursive types.
    private var names: [ObjectIdentifier: String] = [:]

    /// Returns the schema of a type; ``JSONSchema/any`` if nothing is known about it.
    func schema(of type: any Any.Type) -> JSONSchema {
        if let container = StateTypes.role(of: type, as: (any SchemaContainer.Type).self) {
            return container.schema(from: self)
        }
        if let decodable = type as? any Decodable.Type { return schema(ofDecodable: decodable) }
        if let values = SchemaRawValues(type) { return values.schema }
        if let described = type as? any JSONDescribed.Type { return schema(ofDescribed: described) }
        return .any
    }

    /// Returns a value of a type whose schema was requested before. Throws if there is no value, or none has been
    /// created yet.
    func value<T>(of type: T.Type) throws -> T {
        if let container = StateTypes.role(of: type, as: (any SchemaContainer.Type).self),
            let value = container.empty as? T
        {
            return value
        }
        if let value = values[ObjectIdentifier(type)] as? T { return value }
        throw SchemaValueMissing(type: type)
    }

    /// Returns whether a type is being explored, so that it was found inside itself.
    func isExploring(_ type: any Any.Type) -> Bool {
        exploring.contains(ObjectIdentifier(type))
    }

    private func schema<T: Decodable>(ofDecodable type: T.Type) -> JSONSchema {
        let id = ObjectIdentifier(type)
        if let leaf = SchemaLeaf.all[id] {
            values[id] = leaf.value
            return leaf.schema
        }
        return schema(of: type) { explore(type) }
    }

    private func schema(ofDescribed type: any JSONDescribed.Type) -> JSONSchema {
        schema(of: type) {
            switch type.jsonShape {
            case .array(let element): .array(schema(of: element))
            case .value(let type): schema(of: type)
            case .object(let members):
                .object(
                    members.map { .init(name: $0.name, schema: schema(of: $0.type), isRequired: $0.isRequired) })
            }
        }
    }

    /// Returns the schema of a type, which is found once. A type that is found inside itself becomes a definition.
    private func schema(of type: any Any.Type, find: () -> JSONSchema) -> JSONSchema {
        let id = ObjectIdentifier(type)
        if let schema = schemas[id] { return schema }
        if exploring.contains(id) { return .reference(name(of: type)) }
        exploring.insert(id)
        var schema = find()
        exploring.remove(id)
        assert(schemas[id] == nil, "expected to explore \(type) once")
        if let name = names[id] {
            definitions.append(.init(name: name, schema: schema))
            schema = .reference(name)
        } else if schema.needsName {
            schema = .named(SchemaRecorder.plainName(of: type), schema)
        }
        schemas[id] = schema
        return schema
    }

    private func name(of type: any Any.Type) -> String {
        let id = ObjectIdentifier(type)
        assert(exploring.contains(id), "expected a type inside itself, got \(type)")
        if let name = names[id] { return name }
        let base = SchemaRecorder.plainName(of: type)
        var name = base
        var count = 1
        while names.values.contains(name) {
            count += 1
            name = "\(base)\(count)"
        }
        names[id] = name
        return name
    }

    private static func plainName(of type: any Any.Type) -> String {
        String(_typeName(type, qualified: false).map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// Explores a type by letting it decode itself, with each set of sample values until it accepts one.
    private func explore<T: Decodable>(_ type: T.Type) -> JSONSchema {
        for samples in SchemaSamples.all {
            let frame = attempt(type, samples: samples, choice: 0)
            if frame.choices > 0 { return exploreCases(type, first: frame) }
            guard values[ObjectIdentifier(type)] != nil else { continue }
            return isUnion(type, frame) ? .any : frame.schema
        }
        return .any
    }

    /// Explores a type that asks which keys are present, once for each key: an enumeration with associated values.
    private func exploreCases<T: Decodable>(_ type: T.Type, first: SchemaFrame) -> JSONSchema {
        assert(first.choices > 0, "expected a type that asks for its keys, got \(type)")
        var found: [Int: JSONSchema.Member] = [:]
        // A case that contains the type itself succeeds in the second round only, after another case has provided a
        // value.
        for _ in 0..<2 {
            for choice in 0..<first.choices where found[choice] == nil {
                let frame = attempt(type, samples: SchemaSamples(), choice: choice)
                guard frame.isComplete, case .object(let members) = frame.schema, let member = members.first else {
                    continue
                }
                found[choice] = .init(name: member.name, schema: member.schema, isRequired: false)
            }
        }
        guard found.count == first.choices else { return .any }
        return .object(found.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Returns whether a type that accepted a scalar also accepts a different one: if refused, it makes another
    /// request.
    private func isUnion<T: Decodable>(_ type: T.Type, _ frame: SchemaFrame) -> Bool {
        guard frame.isScalar else { return false }
        let refusing = SchemaFrame(samples: frame.samples, refuses: true)
        guard (try? T(from: SchemaDecoder(recorder: self, frame: refusing))) == nil else { return true }
        return refusing.refusals > 1
    }

    private func attempt<T: Decodable>(_ type: T.Type, samples: SchemaSamples, choice: Int) -> SchemaFrame {
        assert(isExploring(type), "expected a type that is being explored, got \(type)")
        let frame = SchemaFrame(of: type, samples: samples, choice: choice)
        // An error means only that the type rejects these sample values. The caller tries others.
        if let value = try? T(from: SchemaDecoder(recorder: self, frame: frame)) {
            frame.isComplete = true
            if values[ObjectIdentifier(type)] == nil { values[ObjectIdentifier(type)] = value }
        }
        return frame
    }
}

/// An error for a type of which no sample value could be created.
struct SchemaValueMissing: LoggableError, CustomStringConvertible {
    let type: any Any.Type

    var description: String { "no sample value of \(type) could be created" }
}

extension JSONSchema {
    /// Whether readers of a description look for the name of the type: that of an object or an enumeration.
    fileprivate var needsName: Bool {
        switch self {
        case .object, .open, .strings, .integers: true
        default: false
        }
    }
}
