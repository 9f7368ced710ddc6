import HTTPModel
import MachineHost

/// The schemas of the machines, as components of the document.
struct OpenAPIComponents {
    /// The components, in the order in which they were added.
    private(set) var schemas: [DocumentValue.Member] = []
    private var names: Set<String> = []

    /// Adds a schema under the nearest available name, and returns a reference to it.
    mutating func add(_ name: String, _ schema: DocumentValue) -> DocumentValue {
        let name = reserve(name)
        schemas.append(.init(name: name, value: schema))
        return .component("schemas", name)
    }

    /// Adds the schema of a port with its definitions, and returns a reference to it.
    mutating func add(_ name: String, _ schema: JSONSchema, isInput: Bool) -> DocumentValue {
        let name = reserve(name)
        // Reserved before any is written, because they refer to each other.
        let places = Dictionary(
            schema.definitions.map { ($0.name, reserve("\(name).\($0.name)")) }, uniquingKeysWith: { first, _ in first }
        )
        let document = SchemaDocument(
            place: { "#/components/schemas/\(places[$0] ?? $0)" }, isInput: isInput)
        schemas.append(.init(name: name, value: document.value(of: schema)))
        for definition in schema.definitions {
            guard let place = places[definition.name] else { continue }
            schemas.append(.init(name: place, value: document.value(of: definition.schema)))
        }
        return .component("schemas", name)
    }

    /// Returns a name that is valid for a component (`^[a-zA-Z0-9._-]+$`) and not in use.
    private mutating func reserve(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                return isPlain || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
            })
        var free = plain
        var count = 1
        while !names.insert(free).inserted {
            count += 1
            free = "\(plain).\(count)"
        }
        return free
    }
}
