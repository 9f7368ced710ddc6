/// What a type asked one decoder for.
final class SchemaFrame {
    /// The values that it is given.
    let dummies: SchemaDummies
    /// Which of the possible keys it is told are there.
    let choice: Int
    /// The raw values that its type has.
    let raw: SchemaRawValues?
    /// Whether it is given no scalar at all, to see what else it would take.
    let refuses: Bool
    /// How many scalars it was refused.
    var refusals = 0
    /// How many keys it could be told of, if it asked which there are.
    var choices = 0
    /// Whether the type became a value.
    var isComplete = false

    private var shape = Shape.nothing
    private var members: [Member] = []
    private var elements: [Found] = []
    private var isNullable = false
    private var takesAnyKey = false

    /// What a place in the JSON turned out to hold.
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
        /// An object whose keys the type asked for, and they could be anything.
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

    init(dummies: SchemaDummies, choice: Int = 0, raw: SchemaRawValues? = nil, refuses: Bool = false) {
        self.dummies = dummies
        self.choice = choice
        self.raw = raw
        self.refuses = refuses
    }

    /// A frame for what is inside of this one.
    func nested() -> SchemaFrame {
        SchemaFrame(dummies: dummies)
    }

    /// Whether exactly one scalar was asked for.
    var isScalar: Bool {
        if case .scalar = shape { true } else { false }
    }

    /// What the type asked for, all in all.
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

    /// It wants named members.
    ///
    /// - Parameter takesAnyKey: Whether its keys can be any names.
    func becomeObject(takesAnyKey: Bool) {
        if takesAnyKey { self.takesAnyKey = true }
        if case .open = shape { return }
        shape = .object
    }

    /// It wants all keys, whatever they are.
    func becomeOpen() {
        shape = .open
    }

    /// It wants elements in order.
    func becomeList() {
        shape = .list
    }

    /// It wants one value and nothing round it.
    func become(_ schema: JSONSchema) {
        shape = .scalar(schema)
    }

    /// It takes null.
    func becomeNullable() {
        isNullable = true
    }

    /// A member holds this.
    func note(_ found: Found, at name: String) {
        update(name) { member in
            guard let earlier = member.found else {
                member.found = found
                return
            }
            if earlier.schema != found.schema { member.found = .schema(.any) }
        }
    }

    /// A member need not be there.
    func noteOptional(_ name: String) {
        update(name) { $0.isOptional = true }
    }

    /// A member may be null.
    func noteNullable(_ name: String) {
        update(name) { $0.isNullable = true }
    }

    /// The next element is this.
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
