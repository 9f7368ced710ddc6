import MachineHost

/// Decides whether all values of one schema are values of another one.
///
/// The comparison is by structure and errs on the safe side: a relation that it does not know does not hold.
struct SchemaComparison {
    /// Whether the values are those of outputs. A client ignores members of outputs that it does not know; a server rejects those
    /// of inputs.
    let isOutput: Bool
    private let lower: [String: JSONSchema]
    private let upper: [String: JSONSchema]

    /// A reference in each of the schemas.
    private struct Pair: Hashable {
        let lower: String
        let upper: String
    }

    /// The number of steps to a part of a schema. A reference in a file may lead to itself.
    private static let maxSteps = 512

    /// Returns whether all values of `lower` are values of `upper`.
    static func holds(_ lower: JSONSchema, in upper: JSONSchema, isOutput: Bool) -> Bool {
        let comparison = SchemaComparison(lower, upper, isOutput: isOutput)
        var assumed: Set<Pair> = []
        return comparison.holds(lower, upper, maxSteps, &assumed)
    }

    private init(_ lower: JSONSchema, _ upper: JSONSchema, isOutput: Bool) {
        func table(_ schema: JSONSchema) -> [String: JSONSchema] {
            Dictionary(schema.definitions.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
        }
        self.isOutput = isOutput
        self.lower = table(lower)
        self.upper = table(upper)
    }

    /// - Parameter assumed: The references that have been compared: a recursive type holds if nothing contradicts it, and whatever
    ///   contradicts a part contradicts the whole.
    private func holds(_ a: JSONSchema, _ b: JSONSchema, _ left: Int, _ assumed: inout Set<Pair>) -> Bool {
        guard left > 0 else { return false }
        let steps = left - 1
        switch (a, b) {
        case (.definitions(let a, _), _), (.named(_, let a), _): return holds(a, b, steps, &assumed)
        case (_, .definitions(let b, _)), (_, .named(_, let b)): return holds(a, b, steps, &assumed)
        case (.reference(let x), .reference(let y)):
            let pair = Pair(lower: x, upper: y)
            if !assumed.insert(pair).inserted { return true }
            guard let a = lower[x], let b = upper[y] else { return false }
            return holds(a, b, steps, &assumed)
        case (.reference(let x), _): return lower[x].map { holds($0, b, steps, &assumed) } ?? false
        case (_, .reference(let y)): return upper[y].map { holds(a, $0, steps, &assumed) } ?? false
        case (_, .any): return true
        case (.any, _): return false
        // Without the option of the other type, so that the references of a recursive type meet.
        case (.optional(let a), .optional(let some)): return holds(a, a.isNullable ? b : some, steps, &assumed)
        case (.optional, _): return false
        case (.null, .null), (.null, .optional): return true
        case (_, .optional(let b)): return holds(a, b, steps, &assumed)
        case (.array(let a), .array(let b)), (.dictionary(let a), .dictionary(let b)):
            return holds(a, b, steps, &assumed)
        case (.object(let a), .dictionary(let b)): return a.allSatisfy { holds($0.schema, b, steps, &assumed) }
        case (.object(let a), .object(let b)): return members(a, b, closed: !isOutput, steps, &assumed)
        case (.object(let a), .open(let b)), (.open(let a), .open(let b)):
            return members(a, b, closed: false, steps, &assumed)
        case (.open(let a), .object(let b)) where isOutput: return members(a, b, closed: false, steps, &assumed)
        default: return scalars(a, b)
        }
    }

    private func members(
        _ a: [JSONSchema.Member], _ b: [JSONSchema.Member], closed: Bool, _ steps: Int, _ assumed: inout Set<Pair>
    ) -> Bool {
        let known = Dictionary(b.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for member in a {
            guard let other = known[member.name] else {
                // An object without required members is an enumeration, and the member a case that clients do not know.
                guard closed || !b.isEmpty && !b.contains(where: \.isRequired) else { continue }
                return false
            }
            guard holds(member.schema, other.schema, steps, &assumed), member.isRequired || !other.isRequired else {
                return false
            }
        }
        let present = Set(a.map(\.name))
        return b.allSatisfy { !$0.isRequired || present.contains($0.name) }
    }

    private func scalars(_ a: JSONSchema, _ b: JSONSchema) -> Bool {
        switch (a, b) {
        case (.boolean, .boolean), (.number, .number), (.integer, .number), (.integers, .number): true
        case (.strings(let a), .strings(let b)): Set(a).isSubset(of: b)
        case (.strings, .string(nil)), (.string, .string(nil)): true
        case (.string(let a), .string(let b)): a == b
        case (.integers(let a), .integers(let b)): Set(a).isSubset(of: b)
        case (.integers(let numbers), .integer(let minimum, let maximum)):
            numbers.allSatisfy { number in
                (minimum.map { $0 <= number } ?? true) && (maximum.map { number < 0 || UInt64(number) <= $0 } ?? true)
            }
        case (.integer(let low, let high), .integer(let minimum, let maximum)):
            (minimum == nil || low.map { $0 >= minimum ?? $0 } ?? false)
                && (maximum == nil || high.map { $0 <= maximum ?? $0 } ?? false)
        default: false
        }
    }
}

extension JSONSchema {
    /// Whether `null` is a value by the outermost schema.
    fileprivate var isNullable: Bool {
        switch self {
        case .null, .optional: true
        case .named(_, let schema): schema.isNullable
        default: false
        }
    }
}
