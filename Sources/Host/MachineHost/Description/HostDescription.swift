/// The description of a host or of one of its machines, as one requester sees it: the source of a document.
package struct HostDescription: Sendable {
    package enum Subject: Sendable {
        /// The host, with its machines in the order of their registration.
        case host([MachineDefinition])
        /// One machine, with the outputs that the requester sees.
        case machine(MachineDefinition, outputs: [OutputDefinition])
    }

    /// The credentials that a host accepts and requires.
    package struct Access: Hashable, Sendable {
        package var authenticates = false
        /// Whether requests without credentials are refused.
        package var requiresCredentials = false
        /// Whether the owners of sessions can issue tickets.
        package var issuesTickets = false

        /// Creates the access to a host. By default, it has no credentials.
        package init(authenticates: Bool = false, requiresCredentials: Bool = false, issuesTickets: Bool = false) {
            self.authenticates = authenticates
            self.requiresCredentials = requiresCredentials
            self.issuesTickets = issuesTickets
        }
    }

    /// The subject: the host or one of its machines.
    package var subject: Subject
    /// The credentials that clients need in order to use the host.
    package var access: Access

    package init(_ subject: Subject, access: Access = Access()) {
        self.subject = subject
        self.access = access
    }
}
