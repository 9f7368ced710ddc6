/// The operations that a ticket permits its holder to perform on the session.
package struct TicketRights: OptionSet, Hashable, Sendable {
    /// The bits, which tickets contain.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Read the outputs and open streams.
    package static let read = TicketRights(rawValue: 1)
    /// Send inputs.
    package static let write = TicketRights(rawValue: 2)
    /// End the session.
    package static let delete = TicketRights(rawValue: 4)

    private static let names: [(name: String, right: TicketRights)] = [
        ("read", .read), ("write", .write), ("delete", .delete),
    ]
    package static let all: TicketRights = [.read, .write, .delete]

    /// Creates a set from the names in a request. Returns nil if a name is unknown or there are none.
    package init?(names: [String]) {
        var rights: TicketRights = []
        for name in names {
            guard let known = TicketRights.names.first(where: { $0.name == name }) else { return nil }
            rights.insert(known.right)
        }
        guard !rights.isEmpty else { return nil }
        self = rights
    }

    /// The names, in a fixed order.
    package var texts: [String] { TicketRights.names.filter { contains($0.right) }.map(\.name) }
}
