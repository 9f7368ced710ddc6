import JSONText
import MachineAdapters
import MachineHost

/// The body of an input: the values carried by all cases on the path to its action.
enum ActionBody: Sendable {
    /// No values.
    case nothing
    /// One value, which is the body.
    case value(MemberReader)
    /// Several values, or the id of an element: the members of an object.
    case members([MemberReader])

    var schema: JSONSchema {
        switch self {
        case .nothing: .null
        case .value(let reader): reader.schema
        case .members(let readers):
            .object(
                readers.map { reader in
                    var isRequired = true
                    if case .optional = reader.schema { isRequired = false }
                    return JSONSchema.Member(name: reader.name, schema: reader.schema, isRequired: isRequired)
                })
        }
    }

    /// Returns the values, in the order of the readers.
    func read(_ json: ArraySlice<UInt8>) throws(InputMismatch) -> [Any] {
        switch self {
        case .nothing:
            guard json.elementsEqual("null".utf8) else {
                throw InputMismatch(
                    pointer: "", detail: "expected null or no body, got \(FoundValue.description(of: json))")
            }
            return []
        case .value(let reader): return [try reader.read(json)]
        case .members(let readers):
            let reading = JSONReading(Array(json))
            guard reading.root.kind == .object else {
                throw InputMismatch(
                    pointer: "", detail: "expected \(schema.expectation), got \(FoundValue.description(of: json))")
            }
            if let unknown = InputMismatch(unknownMembersOf: reading.root, known: readers.map(\.name)) { throw unknown }
            var members: [String: ArraySlice<UInt8>] = [:]
            for member in reading.members(of: reading.root) where members[member.name] == nil {
                members[member.name] = reading.root.bytes[member.value]
            }
            var values: [Any] = []
            for reader in readers { values.append(try reader.read(from: members)) }
            return values
        }
    }
}
