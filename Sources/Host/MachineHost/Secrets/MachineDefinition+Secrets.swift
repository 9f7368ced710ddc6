extension MachineDefinition {
    /// Returns the definition with secrets: inputs, members and parameters whose values must not be stored in clear text.
    ///
    /// The stored content of the machine's sessions is then encrypted with a key of the host
    /// (``HostConfiguration/secretKeys``), and as a whole: outputs, operators and effects may contain what a secret has led
    /// to. Without a key, the sessions end with the process, or the machine is rejected if it requests another durability by
    /// name. Clients and effects see the values as usual.
    ///
    /// - Parameter names: The names of inputs, members and parameters: `password`, `login.token`.
    /// - Throws: If the machine has no input, no captured member and no parameter with one of the names.
    public func secret(_ names: String...) throws(MachineRegistrationError) -> MachineDefinition {
        for name in names where !hasInput(name) && !hasMember(name) && !hasParameter(name) {
            throw MachineRegistrationError(
                machine: self.name, detail: "it has no input, member or parameter \"\(name)\" that could be secret")
        }
        var definition = self
        definition.secrets.formUnion(names)
        return definition
    }

    /// Returns the definition with sensitive values: those of inputs, outputs, members and parameters that operators do not see, even
    /// if they reveal the values of a session.
    ///
    /// Captured states and the questions of effects are then not shown either, because they may contain the same values. Unlike
    /// what is ``secret(_:)``, sensitive values are stored in clear text and part of exported sessions.
    ///
    /// - Parameter names: The names of inputs, outputs, members and parameters: `diagnosis`, `patient.name`.
    /// - Throws: If the machine has nothing with one of the names.
    public func sensitive(_ names: String...) throws(MachineRegistrationError) -> MachineDefinition {
        for name in names
        where !hasInput(name) && !hasMember(name) && !hasParameter(name)
            && !outputs.contains(where: { $0.name == name })
        {
            throw MachineRegistrationError(
                machine: self.name,
                detail: "it has no input, output, member or parameter \"\(name)\" that could be sensitive")
        }
        var definition = self
        definition.sensitive.formUnion(names)
        return definition
    }

    private func hasInput(_ name: String) -> Bool { inputs.contains { $0.name == name } }

    private func hasParameter(_ name: String) -> Bool { parameters?.schema.hasMember(name) ?? false }

    private func hasMember(_ name: String) -> Bool {
        let members = stateShape?.members.keys
        return members?.contains { $0 == name || $0.hasSuffix(".\(name)") || $0.hasSuffix("/\(name)") } ?? false
    }

    /// Returns the definition as a host with or without keys can store it.
    package func storable(with keys: SecretKeys?) -> MachineDefinition {
        guard !secrets.isEmpty, keys == nil else { return self }
        var definition = self
        definition.lacksKey = true
        return definition
    }
}

extension JSONSchema {
    fileprivate func hasMember(_ name: String) -> Bool {
        switch self {
        case .object(let members), .open(let members): members.contains { $0.name == name }
        case .named(_, let schema), .definitions(let schema, _): schema.hasMember(name)
        default: false
        }
    }
}
