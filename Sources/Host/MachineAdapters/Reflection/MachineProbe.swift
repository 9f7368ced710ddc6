package import MachineHost
package import StateCapture

/// The result of wiring a machine once at registration, like that of a session, to find what can be hosted and captured.
package struct MachineProbe<Shape> {
    package let shape: Shape
    package let resumables: [any Resumable]
    private let obstacles: [CaptureObstacle]
    private let memberTypes: [String: String]
    private let transient: Set<String>

    /// Wires a machine. The closure creates it, inspects it, and hosts it as for a session, so that the operators behind
    /// its outputs are found as well.
    ///
    /// - Throws: The error of the closure, or one for a name in `transient` that does not exist.
    package init(
        of machine: String, transient: Set<String>,
        _ wire: (SessionContext) throws(MachineRegistrationError) -> (Shape, any HostedMachine, [any Resumable])
    ) throws(MachineRegistrationError) {
        let (found, registry) = try SessionContext.inspecting(transient: transient) {
            context throws(MachineRegistrationError) in
            let found = try wire(context)
            if let name = context.declaredEffects?.duplicateName {
                throw MachineRegistrationError(
                    machine: machine, detail: "it has two effects or timers named \"\(name)\"")
            }
            return found
        }
        found.1.end()
        shape = found.0
        resumables = found.2
        var seen: Set<CaptureObstacle> = []
        obstacles = registry.obstacles.filter { seen.insert($0).inserted }
        self.transient = transient
        memberTypes = registry.memberTypes
        if let unknown = transient.subtracting(registry.foundTransient).min() {
            throw MachineRegistrationError(
                machine: machine, detail: "it has no member or operator \"\(unknown)\" that could be transient")
        }
    }

    package func describe(_ definition: inout MachineDefinition) {
        definition.captureObstacles = obstacles
        definition.transient = transient
        definition.stateVersion = resumables.map { type(of: $0).version }.max() ?? 1
        for resumable in resumables {
            definition.migrations.merge(type(of: resumable).migrations.mapValues { [$0] }) { $0 + $1 }
        }
        definition.stateShape = StateShape(memberTypes)
    }

    /// Returns the machine that a factory creates. Throws its error as one of the registration.
    package static func make<Machine>(
        _ name: String, _ context: SessionContext, _ make: (SessionContext) throws -> Machine
    ) throws(MachineRegistrationError) -> Machine {
        do {
            return try make(context)
        } catch {
            throw MachineRegistrationError(machine: name, detail: "its factory failed: \(error)")
        }
    }
}

extension MachineShape {
    /// Validates at registration that a machine can be hosted. Returns it as it is hosted.
    package func validate(
        _ machine: AnyObject, _ parts: MachineParts, context: SessionContext, named name: String
    ) throws(MachineRegistrationError) -> AdaptedMachine {
        do {
            return try adapt(machine, parts, context: context)
        } catch {
            throw MachineRegistrationError(machine: name, detail: "it cannot be hosted twice: \(error)")
        }
    }
}
