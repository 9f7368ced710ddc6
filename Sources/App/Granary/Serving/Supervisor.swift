import CLinux
import Log

/// The supervisor of the process, which receives the status notifications of sd_notify(3). Without `NOTIFY_SOCKET` in
/// the environment, notifications have no effect.
struct Supervisor: Sendable {
    /// A status notification.
    enum Status: Equatable, Sendable {
        case ready
        /// The server is ready, and its main process has changed.
        case readyAs(process: Int32)
        /// The server is loading a new certificate or being replaced by a new program. The time is that of the
        /// monotonic clock, in microseconds.
        case reloading(at: UInt64)
        /// The server is shutting down.
        case stopping
    }

    private let socket: String
    private let log: Log

    /// Creates the supervisor that the environment describes.
    init(environment: [String: String], log: Log) {
        socket = environment["NOTIFY_SOCKET"] ?? ""
        self.log = log
    }

    /// Sends a notification. A failure is only logged, because the server does not depend on its supervisor.
    func notify(_ status: Status) {
        guard socket.hasPrefix("/") || socket.hasPrefix("@") else { return }
        let text = Supervisor.text(of: status)
        let result = text.utf8.withContiguousStorageIfAvailable {
            granary_send_datagram(socket, $0.baseAddress, $0.count)
        }
        if let result, result < 0 {
            let reason = String(cString: granary_error_text(-result))
            log(.warning, "the supervisor could not be notified", ["error": .text(reason)])
        }
    }

    /// Notifies the supervisor of a reload that begins now.
    func notifyReloading() {
        notify(.reloading(at: granary_monotonic_nanoseconds() / 1000))
    }

    static func text(of status: Status) -> String {
        switch status {
        case .ready: "READY=1"
        case .readyAs(let process): "MAINPID=\(process)\nREADY=1"
        case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
        case .stopping: "STOPPING=1"
        }
    }
}
