/// Finds the schemas of types and, so that decoding can go on, a value of each. One for each schema that is asked for.
final class SchemaRecorder {
    /// The types that hold themselves, in the order in which they were completed.
    private(set) var definitions: [JSONSchema.Definition] = []
    private var schemas: [ObjectIdentifier: JSONSchema] = [:]
    /// A value of each type that could be made, also of types that are still being looked at (an enumeration that holds
    /// itself has cases that do not).
    private var values: [ObjectIdentifier: Any] = [:]
    private var underway: Set<ObjectIdentifier> = []
    /// The names of types that were met inside of themselves.
    private var names: [ObjectIdentifier: String] = [:]

    /// The schema of any type; ``JSONSchema/any`` where nothing is known of it.
    func schema(of type: any Any.Type) -> JSONSchema {
        if let container = type as? any SchemaContainer.Type { return container.schema(from: self) }
        if let decodable = type as? any Decodable.Type { return schema(ofDecodable: decodable) }
        if let values = SchemaRawValues(type) { return values.schema }
        return .any
    }

    /// A value of the type, after its schema was asked for. Throws if there is none, or none yet.
    func value<T>(of type: T.Type) throws -> T {
        if let container = type as? any SchemaContainer.Type, let value = container.empty as? T { return value }
        if let value = values[ObjectIdentifier(type)] as? T { return value }
        throw SchemaValueMissing(type: type)
    }

    /// Whether the type's decoding is going on: it was met inside of itself.
    func isUnderway(_ type: any Any.Type) -> Bool {
        underway.contains(ObjectIdentifier(type))
    }

    private func schema<T: Decodable>(ofDecodable type: T.Type) -> JSONSchema {
        let id = ObjectIdentifier(type)
        if let schema = schemas[id] { return schema }
        if let leaf = SchemaLeaf.all[id] {
            values[id] = leaf.value
            return leaf.schema
        }
        if underway.contains(id) { return .reference(name(of: type)) }
        underway.insert(id)
        var schema = explore(type)
        underway.remove(id)
        if let name = names[id] {
            definitions.append(.init(name: name, schema: schema))
            schema = .reference(name)
        }
        schemas[id] = schema
        return schema
    }

    private func name(of type: any Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = names[id] { return name }
        let plain = String(describing: type).map { $0.isLetter || $0.isNumber ? $0 : "_" }
        let base = String(plain)
        var name = base
        var count = 1
        while names.values.contains(name) {
            count += 1
            name = "\(base)\(count)"
        }
        names[id] = name
        return name
    }

    /// Lets the type decode itself, with zeros and then, should it refuse those, with other values.
    private func explore<T: Decodable>(_ type: T.Type) -> JSONSchema {
        for dummies in SchemaDummies.all {
            let frame = attempt(type, dummies: dummies, choice: 0)
            if frame.choices > 0 { return exploreCases(type, first: frame) }
            guard values[ObjectIdentifier(type)] != nil else { continue }
            return isUnion(type, frame) ? .any : frame.schema
        }
        return .any
    }

    /// Lets a type that looks which keys there are decode itself once for each key: an enumeration with associated
    /// values. A case that holds the type itself succeeds in the second round, once another case has given a value.
    private func exploreCases<T: Decodable>(_ type: T.Type, first: SchemaFrame) -> JSONSchema {
        var found: [Int: JSONSchema.Member] = [:]
        for _ in 0..<2 {
            for choice in 0..<first.choices where found[choice] == nil {
                let frame = attempt(type, dummies: SchemaDummies(), choice: choice)
                guard frame.isComplete, case .object(let members) = frame.schema, let member = members.first else {
                    continue
                }
                found[choice] = .init(name: member.name, schema: member.schema, isRequired: false)
            }
        }
        guard found.count == first.choices else { return .any }
        return .object(found.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Whether a type that takes one scalar would have taken another instead: refused the first, it asks again.
    private func isUnion<T: Decodable>(_ type: T.Type, _ frame: SchemaFrame) -> Bool {
        guard frame.isScalar else { return false }
        let refusing = SchemaFrame(dummies: frame.dummies, refuses: true)
        guard (try? T(from: SchemaDecoder(recorder: self, frame: refusing))) == nil else { return true }
        return refusing.refusals > 1
    }

    private func attempt<T: Decodable>(_ type: T.Type, dummies: SchemaDummies, choice: Int) -> SchemaFrame {
        let frame = SchemaFrame(dummies: dummies, choice: choice, raw: SchemaRawValues(type))
        // What the type throws on made-up values says nothing that a client could use: it is "no value", and the
        // caller makes up others.
        if let value = try? T(from: SchemaDecoder(recorder: self, frame: frame)) {
            frame.isComplete = true
            if values[ObjectIdentifier(type)] == nil { values[ObjectIdentifier(type)] = value }
        }
        return frame
    }
}

/// A type of which the recorder could make no value.
struct SchemaValueMissing: LoggableError, CustomStringConvertible {
    let type: any Any.Type

    var description: String { "no value of \(type) could be made up" }
}
