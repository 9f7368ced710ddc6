import Access
import HTTPModel
import JSONText
import MachineTesting

@testable import MachineHost

/// The parameters of the machine `cart`.
struct CartParameters: Equatable, Sendable {
    let country: String
    let size: Int

    static let definition = ParametersDefinition(
        schema: .object([
            .init(name: "country", schema: .string(format: nil), isRequired: true),
            .init(name: "size", schema: .integer(minimum: nil, maximum: nil), isRequired: false),
        ])
    ) { json throws(InputMismatch) in
        let bytes = Array(json)
        let value = JSONValue(bytes: bytes, range: 0..<bytes.count)
        guard value.kind == .object else {
            throw InputMismatch(pointer: "", detail: "expected an object, got \(value.kind.name)")
        }
        if let unknown = InputMismatch(unknownMembersOf: value, known: ["country", "size"]) { throw unknown }
        guard let country = value.member("country")?.string else {
            throw InputMismatch(pointer: "/country", detail: "expected a string, got nothing")
        }
        let size = value.member("size").flatMap { Int(String(decoding: $0.slice, as: UTF8.self)) }
        return CartParameters(country: country, size: size ?? 1)
    }
}

/// A machine whose session shows the parameters with which it was created.
func cart(_ name: String = "cart", parameters: ParametersDefinition? = CartParameters.definition) -> MachineDefinition {
    var definition = ScriptedMachine.definition(
        name, outputs: ["country", "size"],
        inputs: [
            "grow": { machine, _ in machine.set("size", to: String((Int(machine.value(of: "size") ?? "") ?? 0) + 1)) }
        ],
        made: { machine in
            let parameters = try machine.context.parameters(as: CartParameters.self)
            machine.set("country", to: JSONWriter.quoted(parameters.country))
            machine.set("size", to: String(parameters.size))
            ScriptedState.capture(machine)
        })
    definition.parameters = parameters
    return definition
}

extension Requester {
    /// Returns the holder of an API key.
    static func apiKey(_ id: String) -> Requester {
        let bytes = Array((id + String(repeating: ".", count: 16)).utf8.prefix(16))
        guard let hash = PrincipalHash(bytes) else { return .anonymous }
        return .principal(Principal(method: .apiKey, id: id), hash)
    }
}
