/// The values that a type requests from one decoder.
final class SchemaFrame {
    let samples: SchemaSamples
    /// The index of the possible key that is reported to the type as present.
    let choice: Int
    /// The raw values of the type, if it is an enumeration.
    // Found only for a type that requests a scalar: the others are many.
    private(set) lazy var raw = type.flatMap { SchemaRawValues($0) }
    /// Whether all scalars are refused, to find out what else the type accepts.
    let refuses: Bool
    /// The number of refused scalars.
    var refusals = 0
    /// The number of possible keys, if the type requested the list of present keys.
    var choices = 0
    /// Whether the type could be created.
    var isComplete = false

    private let type: (any Any.Type)?
    private var shape = Shape.nothing
    private var members: [Member] = []
    private var elements: [Found] = []
    private var isNullable = false
    private var takesAnyKey = false

    /// The content at a place in the JSON.
    enum Found {
        case schema(JSONSchema)
        case frame(SchemaFrame)

        var schema: JSONSchema {
            switch self {
            case .schema(let schema): schema
            case .frame(let frame): frame.schema
            }
        }
    }

    private enum Shape {
        case nothing
        case object
        /// An object with arbitrary keys, whose keys the type requested.
        case open
        case list
        case scalar(JSONSchema)
    }

    private struct Member {
        let name: String
        var found: Found?
        var isOptional = false
        var isNullable = false
    }

    /// Creates a frame.
    ///
    /// - Parameters:
    ///   - type: The type that is decoded, if it may have raw values.
    ///   - choice: The index of the possible key that is reported as present.
    ///   - refuses: Whether all scalars are refused.
    init(of type: (any Any.Type)? = nil, samples: SchemaSamples, choice: Int = 0, refuses: Bool = false) {
        assert(choice >= 0, "expected the index of a key, got \(choice)")
        self.type = type
        self.samples = samples
        self.choice = choice
        self.refuses = refuses
    }

    func nested() -> SchemaFrame {
        SchemaFrame(samples: samples)
    }

    /// Whether a single scalar was requested.
    var isScalar: Bool {
        if case .scalar = shape { true } else { false }
    }

    /// The schema of everything that was requested.
    var schema: JSONSchema {
        let schema = shapeSchema
        return isNullable ? schema.orNull : schema
    }

    private var shapeSchema: JSONSchema {
        switch shape {
        case .nothing: return .any
        case .scalar(let schema): return raw?.refine(schema) ?? schema
        case .list: return .array(Self.common(elements.map(\.schema)))
        case .open where members.isEmpty: return .dictionary(.any)
        case .open: return .open(schemaMembers)
        case .object: return takesAnyKey ? .open(schemaMembers) : .object(schemaMembers)
        }
    }

    private var schemaMembers: [JSONSchema.Member] {
        members.map { member in
            let schema = member.found?.schema ?? .any
            return .init(
                name: member.name, schema: member.isNullable ? schema.orNull : schema, isRequired: !member.isOptional)
        }
    }

    private static func common(_ schemas: [JSONSchema]) -> JSONSchema {
        guard let first = schemas.first, schemas.allSatisfy({ $0 == first }) else { return .any }
        return first
    }

    /// Records a request for named members.
    ///
    /// - Parameter takesAnyKey: Whether any name is a valid key.
    func becomeObject(takesAnyKey: Bool) {
        if takesAnyKey { self.takesAnyKey = true }
        if case .open = shape { return }
        shape = .object
    }

    /// Records a request for all keys.
    func becomeOpen() {
        shape = .open
    }

    /// Records a request for elements in order.
    func becomeList() {
        shape = .list
    }

    /// Records a request for a single value.
    func become(_ schema: JSONSchema) {
        shape = .scalar(schema)
    }

    /// Records that null is accepted.
    func becomeNullable() {
        isNullable = true
    }

    /// Records the content of a member.
    func note(_ found: Found, at name: String) {
        update(name) { member in
            guard let earlier = member.found else {
                member.found = found
                return
            }
            if earlier.schema != found.schema { member.found = .schema(.any) }
        }
    }

    /// Records that a member may be missing.
    func noteOptional(_ name: String) {
        update(name) { $0.isOptional = true }
    }

    /// Records that a member may be null.
    func noteNullable(_ name: String) {
        update(name) { $0.isNullable = true }
    }

    /// Records the content of the next element.
    func noteElement(_ found: Found) {
        elements.append(found)
    }

    private func update(_ name: String, _ change: (inout Member) -> Void) {
        if let index = members.firstIndex(where: { $0.name == name }) { return change(&members[index]) }
        var member = Member(name: name)
        change(&member)
        members.append(member)
    }
}
