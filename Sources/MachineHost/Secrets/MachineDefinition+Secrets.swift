extension MachineDefinition {
    /// Returns the definition with secrets: inputs and members whose values must not be stored in clear text.
    ///
    /// What is stored of the machine's sessions is then encrypted with a key of the host
    /// (``HostConfiguration/secretKeys``), and as a whole: outputs, operators and effects may contain what a secret has led
    /// to. Without a key, the sessions end with the process, or the machine is rejected if it requests another durability by
    /// name. Clients and effects see the values as usual.
    ///
    /// - Parameter names: The names of inputs and members: `password`, `login.token`.
    /// - Throws: If the machine has no input and no captured member with one of the names.
    public func secret(_ names: String...) throws(MachineRegistrationError) -> MachineDefinition {
        for name in names where !hasInput(name) && !hasMember(name) {
            throw MachineRegistrationError(
                machine: self.name, detail: "it has no input or member \"\(name)\" that could be secret")
        }
        var definition = self
        definition.secrets.formUnion(names)
        return definition
    }

    private func hasInput(_ name: String) -> Bool { inputs.contains { $0.name == name } }

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
