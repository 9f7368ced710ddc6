import Glibc
import HTTPServer
import Log

/// The environment of a server process: its supervisor, the sockets that it inherits, and its predecessor and successor
/// in hot restarts.
struct Succession {
    /// The supervisor that receives status notifications.
    let supervisor: Supervisor
    let inherited: InheritedSockets?
    /// The server that this one replaces.
    let predecessor: Predecessor?
    /// The replacement of this server by a successor.
    let takeover: Takeover

    /// Reads the arguments and the environment of the process.
    ///
    /// - Throws: An error if the environment describes inherited sockets that do not exist.
    init(arguments: [String], environment: [String: String], timeout: Duration, log: Log) throws {
        supervisor = Supervisor(environment: environment, log: log)
        predecessor = try Predecessor(environment: environment)
        inherited = try predecessor?.sockets ?? InheritedSockets(environment: environment, process: getpid())
        takeover = Takeover(
            Relaunch(arguments: arguments, environment: environment), timeout: timeout, supervisor: supervisor, log: log
        )
    }

    /// Notifies the supervisor that the server is ready.
    func begin() {
        // After a takeover, the predecessor has already notified the supervisor, which accepts notifications only from
        // the main process that it knows.
        if predecessor == nil { supervisor.notify(.ready) }
    }

    /// Ends takeovers because the server shuts down. Returns whether a successor has its sockets.
    func end() -> Bool {
        let isHandedOver = takeover.end()
        if !isHandedOver { supervisor.notify(.stopping) }
        return isHandedOver
    }
}
