import HTTPModel
import HTTPServer
import Log
import MachineHost

extension AdminInterface {
    /// Returns the admin interface of a server; nil if it is off, or no listener serves it.
    ///
    /// - Parameters:
    ///   - inherited: The sockets that another process has opened. A supervisor's may be for operators.
    ///   - host: The host of the sessions; nil for a server without one.
    ///   - surroundings: What the interface needs of the server around the host.
    ///   - log: The log whose levels operators change.
    static func serving(
        _ configuration: Configuration, inherited: InheritedSockets?, host: SessionHost?,
        _ surroundings: Surroundings, log: Log
    ) -> AdminInterface? {
        guard configuration.servesAdmin, configuration.hasOperators(inherited), let host else { return nil }
        return AdminInterface(host, surroundings, log: log)
    }
}

extension Configuration {
    /// Returns whether operators can reach the server: by an admin listener, or by sockets of a supervisor.
    func hasOperators(_ inherited: InheritedSockets?) -> Bool {
        server.listeners.contains { $0.role == .admin } || (inherited ?? server.inherited)?.origin == .supervisor
    }
}
