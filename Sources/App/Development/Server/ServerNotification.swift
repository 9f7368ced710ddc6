/// A status notification of a server, as for systemd: see sd_notify(3).
enum ServerNotification: Equatable {
    /// The server is ready. Contains its process if it has replaced another one.
    case ready(process: Int32?)
    /// Anything else, such as the beginning of a reload.
    case other

    /// Reads a notification: lines of the form `NAME=VALUE`.
    init(_ text: String) {
        let lines = text.split(separator: "\n")
        guard lines.contains("READY=1") else {
            self = .other
            return
        }
        let name = "MAINPID="
        let process = lines.first { $0.hasPrefix(name) }.flatMap { Int32($0.dropFirst(name.count)) }
        // Others would be signals for groups of processes.
        self = .ready(process: process.flatMap { $0 > 0 ? $0 : nil })
    }
}
