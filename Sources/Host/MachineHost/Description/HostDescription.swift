/// The description of a host or of one of its machines, as one requester sees it: the source of a document.
package struct HostDescription: Sendable {
    package enum Subject: Sendable {
        /// The host, with its machines in the order of their registration.
        case host([MachineDefinition])
        case machine(MachineDefinition)
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

    /// The subject: the host or one of its machines. Machines have the outputs that the requester sees.
    package var subject: Subject
    /// The form of the document.
    package var form: DescriptionForm
    /// The credentials that clients need in order to use the host.
    package var access: Access

    package init(_ subject: Subject, as form: DescriptionForm = .openAPI, access: Access = Access()) {
        self.subject = subject
        self.form = form
        self.access = access
    }

    /// The machines that are described.
    package var machines: [MachineDefinition] {
        switch subject {
        case .host(let machines): machines
        case .machine(let machine): [machine]
        }
    }
}
