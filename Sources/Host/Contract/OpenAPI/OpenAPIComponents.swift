import MachineHost

/// The schemas of a document. Used while the document is written.
final class OpenAPIComponents {
    /// The components, in the order in which they were added.
    private(set) var schemas: [DocumentValue.Member] = []
    private var names: Set<String> = []
    /// The components of the types that have a name, by that name. Different types may have one name.
    private var types: [String: [(schema: DocumentValue, reference: DocumentValue)]] = [:]
    /// The components of recursive types: by the name of each, its place.
    private var recursive: [(definitions: [JSONSchema.Definition], isInput: Bool, places: [String: String])] = []

    /// Adds a schema under the nearest available name, and returns a reference to it.
    func add(_ name: String, _ schema: DocumentValue) -> DocumentValue {
        let name = reserve(name)
        schemas.append(.init(name: name, value: schema))
        return .component("schemas", name)
    }

    /// Returns the schema of a port. The types in it that have a name become components, once each.
    func schema(_ schema: JSONSchema, isInput: Bool) -> DocumentValue {
        let definitions = schema.definitions
        let known = recursive.first { $0.isInput == isInput && $0.definitions == definitions }
        // Reserved before any is written, because they refer to each other.
        let places =
            known?.places
            ?? Dictionary(
                definitions.map { ($0.name, reserve($0.name, isInput: isInput)) },
                uniquingKeysWith: { first, _ in first })
        let document = SchemaDocument(
            place: { "#/components/schemas/\(places[$0] ?? $0)" }, isInput: isInput,
            named: { self.reference(to: $0, $1, isInput: isInput) }, hasFormats: true)
        if known == nil, !definitions.isEmpty {
            recursive.append((definitions, isInput, places))
            for definition in definitions {
                guard let place = places[definition.name] else { continue }
                schemas.append(.init(name: place, value: document.value(of: definition.schema)))
            }
        }
        return document.value(of: schema)
    }

    private func reference(to name: String, _ schema: DocumentValue, isInput: Bool) -> DocumentValue {
        if let known = types[name]?.first(where: { $0.schema == schema }) { return known.reference }
        let place = reserve(name, isInput: isInput)
        schemas.append(.init(name: place, value: schema))
        let reference = DocumentValue.component("schemas", place)
        types[name, default: []].append((schema, reference))
        return reference
    }

    /// Returns a name that is valid for a component (`^[a-zA-Z0-9._-]+$`) and not in use.
    ///
    /// A type that is both an input and an output has two components, because only inputs are closed to unknown members.
    private func reserve(_ name: String, isInput: Bool = false) -> String {
        var plain = String(
            name.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                return isPlain || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
            })
        if isInput, names.contains(plain) { plain += ".input" }
        var free = plain
        var count = 1
        while !names.insert(free).inserted {
            count += 1
            free = "\(plain).\(count)"
        }
        return free
    }
}
