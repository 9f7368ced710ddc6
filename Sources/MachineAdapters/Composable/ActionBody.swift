import MachineHost

/// What the body of an input looks like whose action carries values, along the whole way to its case.
enum ActionBody: Sendable {
    /// It carries nothing.
    case nothing
    /// It carries one value, which is the body.
    case value(MemberReader)
    /// It carries several, or comes to an element that has to be named: they are the members of an object.
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

    /// The values, in the order of the readers.
    func read(_ json: ArraySlice<UInt8>) throws(InputMismatch) -> [Any] {
        switch self {
        case .nothing:
            guard json.elementsEqual("null".utf8) else {
                throw InputMismatch(pointer: "", detail: "expected null or no body, found \(FoundValue.kind(of: json))")
            }
            return []
        case .value(let reader): return [try reader.read(json)]
        case .members(let readers):
            guard let found = JSONObjectText.members(of: String(decoding: json, as: UTF8.self)) else {
                throw InputMismatch(
                    pointer: "", detail: "expected \(schema.expectation), found \(FoundValue.kind(of: json))")
            }
            var members: [String: [UInt8]] = [:]
            for member in found { members[member.name] = Array(member.value.utf8) }
            var values: [Any] = []
            for reader in readers { values.append(try reader.read(from: members)) }
            return values
        }
    }
}
