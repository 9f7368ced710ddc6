import StateCapture

extension MachineDefinition {
    /// Creates and wires the machine of a session, from its stored state if the context's registry is restoring.
    ///
    /// A restored machine has the members and operators of the stored session, and its outputs are neither marked nor
    /// read: clients have received their values. The caller then puts back the shown values, and starts the machine with
    /// ``StateRegistry/resume()`` and ``HostedMachine/resumed(_:)``.
    ///
    /// - Throws: The error of the factory.
    package func wire(_ context: SessionContext) throws -> any HostedMachine {
        guard let registry = context.stateRegistry else { return try makeUnambiguous(context) }
        registry.transient = transient
        let machine = try registry.wire { try makeUnambiguous(context) }
        if registry.isRestoring { machine.outputs.discardMarks() }
        return machine
    }

    /// Creates the machine, whose effects must be found again by their names.
    private func makeUnambiguous(_ context: SessionContext) throws -> any HostedMachine {
        let machine = try make(context)
        if let name = context.declaredEffects?.duplicateName { throw DuplicateEffect(name: name) }
        return machine
    }
}

/// Thrown when a machine declares two effects or timers with one name.
package struct DuplicateEffect: LoggableError, CustomStringConvertible {
    let name: String

    /// The error as a clause.
    package var description: String { "expected effects and timers with different names, got two named \"\(name)\"" }
}
