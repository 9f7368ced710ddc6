import CLinux
import Log

/// Whoever has started the server and wants to know how it is, by the datagrams of sd_notify(3). Nobody, where no socket is
/// named.
struct Supervisor: Sendable {
    /// What a supervisor is told.
    enum Fact: Equatable, Sendable {
        /// The server serves.
        case ready
        /// The server serves, and is another process from now on.
        case readyAs(process: Int32)
        /// A new configuration, a new certificate or a new program is being taken over.
        case reloading(at: UInt64)
        /// The server goes down.
        case stopping
    }

    private let socket: String
    private let log: Log

    /// The supervisor that the environment names.
    init(environment: [String: String], log: Log) {
        socket = environment["NOTIFY_SOCKET"] ?? ""
        self.log = log
    }

    /// Tells it. One who cannot be told is a line in the log, and nothing more: the server does not depend on it.
    func hear(_ fact: Fact) {
        guard socket.hasPrefix("/") || socket.hasPrefix("@") else { return }
        let text = Supervisor.text(of: fact)
        let result = text.utf8.withContiguousStorageIfAvailable {
            granary_send_datagram(socket, $0.baseAddress, $0.count)
        }
        if let result, result < 0 {
            let reason = String(cString: granary_error_text(-result))
            log(.warning, "the supervisor cannot be told", ["error": .text(reason)])
        }
    }

    /// It is about to be told that something new is there.
    func hearOfReloading() {
        hear(.reloading(at: granary_monotonic_nanoseconds() / 1000))
    }

    static func text(of fact: Fact) -> String {
        switch fact {
        case .ready: "READY=1"
        case .readyAs(let process): "MAINPID=\(process)\nREADY=1"
        case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
        case .stopping: "STOPPING=1"
        }
    }
}
