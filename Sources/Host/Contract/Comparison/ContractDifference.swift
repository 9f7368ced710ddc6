import MachineHost

package struct ContractDifference: Equatable, Sendable {
    /// The effect of a difference on clients of the older contract.
    package enum Effect: String, Sendable {
        /// They may stop working.
        case breaking
        /// They continue to work, and see something that they did not see before.
        case exposing
        /// They continue to work.
        case compatible
    }

    /// The effect on clients of the older contract.
    package let effect: Effect
    /// The place and the change, such as `counter: the input "set" was removed`.
    package let description: String
}

extension MachineContract {
    /// Returns the differences of a newer contract, in the order of this one.
    package func differences(to newer: MachineContract) -> [ContractDifference] {
        ContractDifference.between(machines, newer.machines, \.name) { change in
            switch change {
            case .removed(let machine): [.init(.breaking, machine.name, "the machine was removed")]
            case .added(let machine):
                [.init(machine.outputs.isEmpty ? .compatible : .exposing, machine.name, "the machine is new")]
                    + machine.outputs.filter(\.looksPrivate).map { .new($0, in: machine.name) }
            case .kept(let old, let new): old.differences(to: new)
            }
        }
    }
}

extension MachineContract.Machine {
    fileprivate func differences(to newer: MachineContract.Machine) -> [ContractDifference] {
        parameterDifferences(newer)
            + ContractDifference.between(inputs, newer.inputs, \.name) { change in
                switch change {
                case .removed(let input): [.init(.breaking, name, "the input \"\(input.name)\" was removed")]
                case .added(let input): [.init(.compatible, name, "the input \"\(input.name)\" is new")]
                case .kept(let old, let new):
                    ContractDifference.types(old.schema, new.schema, name, "the input \"\(old.name)\"", isOutput: false)
                }
            }
            + ContractDifference.between(outputs, newer.outputs, \.name) { change in
                switch change {
                case .removed(let output): [.init(.breaking, name, "the output \"\(output.name)\" was removed")]
                case .added(let output): [.new(output, in: name)]
                case .kept(let old, let new):
                    ContractDifference.outputs(old, new, name)
                }
            }
    }

    private func parameterDifferences(_ newer: MachineContract.Machine) -> [ContractDifference] {
        switch (parameters, newer.parameters) {
        case (nil, nil): []
        case (.some, nil): [.init(.breaking, name, "the parameters were removed")]
        case (nil, let new?):
            // A client that sends no parameters is treated like one that sends an empty object.
            SchemaComparison.holds(.object([]), in: new, isOutput: false) || new.acceptsNull
                ? [.init(.compatible, name, "the machine takes parameters, all of which may be missing")]
                : [.init(.breaking, name, "the machine requires parameters")]
        case (let old?, let new?): ContractDifference.types(old, new, name, "the parameters", isOutput: false)
        }
    }
}

extension MachineContract.Output {
    /// Whether the name is one that clients were probably not meant to see.
    fileprivate var looksPrivate: Bool { ContractDifference.looksPrivate(name) }
}

extension ContractDifference {
    fileprivate init(_ effect: Effect, _ machine: String, _ text: String) {
        self.init(effect: effect, description: "\(machine): \(text)")
    }

    /// A thing of the older contract, the newer one, or both.
    fileprivate enum Change<Element> {
        case removed(Element)
        case added(Element)
        case kept(Element, Element)
    }

    /// Compares lists by name: what the older one has, in its order, and then what is new.
    fileprivate static func between<Element>(
        _ older: [Element], _ newer: [Element], _ name: (Element) -> String,
        _ describe: (Change<Element>) -> [ContractDifference]
    ) -> [ContractDifference] {
        let table = Dictionary(newer.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
        let known = Set(older.map(name))
        return older.flatMap { element in
            describe(table[name(element)].map { .kept(element, $0) } ?? .removed(element))
        } + newer.filter { !known.contains(name($0)) }.flatMap { describe(.added($0)) }
    }

    fileprivate static func new(_ output: MachineContract.Output, in machine: String) -> ContractDifference {
        let remark = output.looksPrivate ? ", and its name looks private" : ""
        return .init(.exposing, machine, "the output \"\(output.name)\" is new: clients see it\(remark)")
    }

    fileprivate static func outputs(
        _ old: MachineContract.Output, _ new: MachineContract.Output, _ machine: String
    ) -> [ContractDifference] {
        let what = "the output \"\(old.name)\""
        guard old.kind == new.kind else {
            let text = old.kind == .value ? "was a value and is an event" : "was an event and is a value"
            return [.init(.breaking, machine, "\(what) \(text)")]
        }
        let added = addedMembers(old.schema, new.schema, "").map { member in
            let remark = looksPrivate(member) ? ", and its name looks private" : ""
            return ContractDifference(
                .exposing, machine, "\(what) has a new member \"\(member)\": clients see it\(remark)")
        }
        let types = types(old.schema, new.schema, machine, what, isOutput: true)
        // A new member narrows the type, which the differences above state.
        return added + (added.isEmpty ? types : types.filter { $0.effect == .breaking })
    }

    /// Returns the differences of the types of a port.
    fileprivate static func types(
        _ old: JSONSchema, _ new: JSONSchema, _ machine: String, _ what: String, isOutput: Bool
    ) -> [ContractDifference] {
        let isNarrower = SchemaComparison.holds(new, in: old, isOutput: isOutput)
        let isWider = SchemaComparison.holds(old, in: new, isOutput: isOutput)
        switch (isNarrower, isWider) {
        case (true, true): return []
        case (true, false):
            return [.init(isOutput ? .compatible : .breaking, machine, "the type of \(what) was narrowed")]
        case (false, true):
            return [.init(isOutput ? .breaking : .compatible, machine, "the type of \(what) was widened")]
        case (false, false): return [.init(.breaking, machine, "the type of \(what) changed")]
        }
    }

    /// Returns the members of objects in the newer schema that the older one does not have, as paths.
    private static func addedMembers(_ old: JSONSchema, _ new: JSONSchema, _ path: String) -> [String] {
        switch (old, new) {
        case (.definitions(let a, let older), .definitions(let b, let newer)):
            return addedMembers(a, b, path)
                + newer.flatMap { definition in
                    guard let other = older.first(where: { $0.name == definition.name }) else { return [String]() }
                    return addedMembers(other.schema, definition.schema, "\(path)\(definition.name).")
                }
        case (.definitions(let a, _), let b), (.named(_, let a), let b): return addedMembers(a, b, path)
        case (let a, .definitions(let b, _)), (let a, .named(_, let b)): return addedMembers(a, b, path)
        case (.optional(let a), let b): return addedMembers(a, b, path)
        case (let a, .optional(let b)): return addedMembers(a, b, path)
        case (.array(let a), .array(let b)), (.dictionary(let a), .dictionary(let b)): return addedMembers(a, b, path)
        case (.object(let a), .object(let b)), (.open(let a), .open(let b)), (.object(let a), .open(let b)),
            (.open(let a), .object(let b)):
            let known = Dictionary(a.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
            return b.flatMap { member in
                known[member.name].map { addedMembers($0, member.schema, "\(path)\(member.name).") }
                    ?? ["\(path)\(member.name)"]
            }
        default: return []
        }
    }

    /// Returns whether a name contains a word that is usually not for clients.
    static func looksPrivate(_ name: String) -> Bool {
        let words = ["password", "secret", "token", "private", "internal", "credential", "apikey", "debug"]
        let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
        return name.hasPrefix("_") || name.contains("._") || words.contains { plain.contains($0) }
    }
}
