/// The validated machines of a host, by name.
struct MachineCatalogue: Sendable {
    let machines: [RegisteredMachine]
    /// The content of `GET /v1/machines`.
    let json: [UInt8]
    let hasViews: Bool
    private let places: [String: Int]

    /// - Parameters:
    ///   - stored: The greatest durability of stored sessions; ``Durability/memory`` if no sessions are stored.
    ///   - preset: The durability of sessions whose machine requests none; nil for the same.
    init(
        _ definitions: [MachineDefinition], stored: Durability = .memory, byDefault preset: Durability? = nil,
        keys: SecretKeys? = nil
    ) throws(MachineRegistrationError) {
        var machines: [RegisteredMachine] = []
        var places: [String: Int] = [:]
        for definition in definitions.lazy.map({ $0.storable(with: keys) }) {
            try MachineCatalogue.check(definition)
            guard places.updateValue(machines.count, forKey: definition.name) == nil else {
                throw MachineRegistrationError(
                    machine: definition.name, detail: "another machine has this name")
            }
            let durability = definition.durability(stored: stored, byDefault: preset)
            machines.append(RegisteredMachine(definition, durability: durability))
        }
        self.machines = machines
        self.places = places
        json = MachineCatalogue.list(machines.map(\.json))
        hasViews = machines.contains { $0.views != nil }
        assert(places.count == machines.count, "expected a name for each of \(machines.count) machines")
    }

    /// Returns the content of `GET /v1/machines`.
    static func list(_ descriptions: [[UInt8]]) -> [UInt8] {
        Array("{\"machines\":[".utf8) + descriptions.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8)
    }

    subscript(name: String) -> RegisteredMachine? { places[name].map { machines[$0] } }

    private static func check(_ definition: MachineDefinition) throws(MachineRegistrationError) {
        func refuse(_ detail: String) -> MachineRegistrationError {
            MachineRegistrationError(machine: definition.name, detail: detail)
        }
        try checkDurability(definition)
        try definition.checkViews()
        guard isMachineName(definition.name) else {
            throw refuse(
                "a machine's name must be 1 to 64 lower-case letters, digits and hyphens, starting with a letter")
        }
        for (kind, names) in [
            ("input", definition.inputs.map(\.name)), ("output", definition.outputs.map(\.name)),
        ] {
            var seen: Set<String> = []
            for name in names {
                guard PortName.isAddressable(name) else {
                    throw refuse(
                        "\"\(name)\" cannot be the name of an \(kind): it is empty, starts with $ or contains a comma, a slash or "
                            + "a control character")
                }
                guard seen.insert(name).inserted else { throw refuse("it has two \(kind)s named \"\(name)\"") }
            }
        }
    }

    /// Throws if the definition requests a durability by name that its machine cannot have.
    private static func checkDurability(_ definition: MachineDefinition) throws(MachineRegistrationError) {
        guard let requested = definition.durability, requested > .memory, let reason = definition.obstacleText else {
            return
        }
        throw MachineRegistrationError(
            machine: definition.name,
            detail: "expected a machine that can be captured for the durability \(requested.rawValue), but \(reason)")
    }

    private static func isMachineName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return name.utf8.count <= 64
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
