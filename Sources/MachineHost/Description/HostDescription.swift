/// What a host or one of its machines offers, as one requester sees it: the source of a document.
package struct HostDescription: Sendable {
    /// What is described.
    package enum Subject: Sendable {
        /// The host, with its machines in the order of their registration.
        case host([MachineDefinition])
        /// One machine, with the outputs that the requester sees.
        case machine(MachineDefinition, outputs: [OutputDefinition])
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

    /// What is described.
    package var subject: Subject
    /// What clients need.
    package var access: Access

    /// Creates a description.
    package init(_ subject: Subject, access: Access = Access()) {
        self.subject = subject
        self.access = access
    }
}
