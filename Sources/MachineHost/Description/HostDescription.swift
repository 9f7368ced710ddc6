/// What a host offers, as one requester sees it: the source of a document that describes the server.
package struct HostDescription: Sendable {
    /// A machine with the outputs that the requester sees.
    package struct Machine: Sendable {
        /// The definition. Its outputs may include some that the requester does not see.
        package let definition: MachineDefinition
        /// The outputs that the requester sees.
        package let outputs: [OutputDefinition]

        /// Creates a description. Without `outputs`, all of them are visible.
        package init(_ definition: MachineDefinition, outputs: [OutputDefinition]? = nil) {
            self.definition = definition
            self.outputs = outputs ?? definition.outputs
        }
    }

    /// What clients need in order to use the host.
    package struct Access: Hashable, Sendable {
        /// Whether clients can authenticate.
        package var authenticates = false
        /// Whether requests without credentials are refused.
        package var requiresCredentials = false
        /// Whether the owners of sessions can issue tickets.
        package var issuesTickets = false

        /// Creates the access to a host. By default, there are no credentials.
        package init(authenticates: Bool = false, requiresCredentials: Bool = false, issuesTickets: Bool = false) {
            self.authenticates = authenticates
            self.requiresCredentials = requiresCredentials
            self.issuesTickets = issuesTickets
        }
    }

    /// The machines, in the order of their registration.
    package var machines: [Machine]
    /// What clients need.
    package var access = Access()

    /// Creates a description of a host without access control.
    package init(machines: [Machine], access: Access = Access()) {
        self.machines = machines
        self.access = access
    }
}
