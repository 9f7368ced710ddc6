import Glibc
import HTTPServer
import Log

/// What stands before and after one life of a server: who has started it, whose sockets it takes, and who may take them from
/// it.
struct Succession {
    /// Who has started it, and wants to know how it is.
    let supervisor: Supervisor
    /// The sockets that it was started with.
    let inherited: InheritedSockets?
    /// The server that it takes over from.
    let predecessor: Predecessor?
    /// The way to the next one.
    let takeover: Takeover

    /// As a process finds it when it starts. Throws if what it was started with makes no sense.
    init(arguments: [String], environment: [String: String], timeout: Duration, log: Log) throws {
        supervisor = Supervisor(environment: environment, log: log)
        predecessor = try Predecessor(environment: environment)
        inherited = try predecessor?.sockets ?? InheritedSockets(environment: environment, process: getpid())
        takeover = Takeover(
            Relaunch(arguments: arguments, environment: environment), timeout: timeout, supervisor: supervisor, log: log
        )
    }

    /// The server is about to accept connections: a predecessor has to leave them to it.
    func beforeAccepting() {
        predecessor?.awaitConsent()
    }

    /// The server serves. Of one that has taken over the supervisor has heard from its predecessor, which it believes.
    func begin() {
        if predecessor == nil { supervisor.hear(.ready) }
    }

    /// The server goes down; answers whether another one has its sockets.
    func end() -> Bool {
        let isHandedOver = takeover.end()
        if !isHandedOver { supervisor.hear(.stopping) }
        return isHandedOver
    }
}
