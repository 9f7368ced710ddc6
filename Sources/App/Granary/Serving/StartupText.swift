import HTTPModel
import HTTPServer

/// The text that a server prints after its start.
enum StartupText {
    /// Returns the listeners, the fingerprint of a temporary certificate, the machines with their outputs, and a
    /// command that creates a session.
    ///
    /// - Parameters:
    ///   - obstacles: What keeps the sessions of a machine from being stored, by the name of the machine.
    ///   - warnings: What the operator should know about the listeners.
    static func text(
        listeners: [HTTPListener], fingerprint: String? = nil,
        machines: [(name: String, summary: String, outputs: [String])], obstacles: [String: String] = [:],
        warnings: [String] = [], program: String = "Granary \(GranaryVersion.current)"
    ) -> String {
        let width = machines.map(\.name.count).max() ?? 0
        let margin = String(repeating: " ", count: width + 4)
        let list = machines.flatMap { machine in
            let outputs = machine.outputs.isEmpty ? "no outputs" : "outputs: " + machine.outputs.joined(separator: ", ")
            let obstacle = obstacles[machine.name].map { "sessions end with the process: \($0)" }
            let details = [outputs, obstacle].compactMap(\.self).flatMap { TextLayout.wrapped($0, width: 100) }
            return [
                "  \(machine.name)\(String(repeating: " ", count: width - machine.name.count))  \(machine.summary)"
            ] + details.map { margin + $0 }
        }
        let places = listeners.map { "\($0.role == .admin ? "for operators on " : "on ")\(shown($0))" }
        var lines = ["\(program) serves \(places.joined(separator: "\nand "))"]
        if let fingerprint {
            lines.append("with a temporary certificate with the SHA-256 fingerprint \(fingerprint)")
        }
        lines += warnings.flatMap { TextLayout.wrapped("warning: \($0)", width: 100) }
        lines += [""] + list
        if let first = machines.first, let listener = openListener(listeners) {
            let body = "{\"machine\":\"\(first.name)\"}"
            let invitation = listener.isUnix ? "Run:" : "Open the address in a browser, or run:"
            let call = curl(listener, isTrusted: fingerprint == nil)
            lines += [
                "", invitation, "",
                "  curl -i \(call)/v1/sessions -H 'Content-Type: application/json' -d '\(body)'",
            ]
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the public listener that is easiest to use: in cleartext and with an address, if there is one.
    private static func openListener(_ listeners: [HTTPListener]) -> HTTPListener? {
        let open = listeners.filter { $0.role == .public }
        return open.first { !$0.isSecure && !$0.isUnix } ?? open.first { !$0.isUnix } ?? open.first
    }

    private static func shown(_ listener: HTTPListener) -> String {
        guard listener.isUnix else { return url(listener) }
        return listener.isSecure ? "https+\(listener.address)" : "\(listener.address)"
    }

    private static func url(_ listener: HTTPListener) -> String {
        "\(listener.isSecure ? "https" : "http")://\(listener.isUnix ? "localhost" : "\(listener.address)")"
    }

    private static func curl(_ listener: HTTPListener, isTrusted: Bool) -> String {
        let trust = listener.isSecure && !isTrusted ? "-k " : ""
        return trust + (listener.isUnix ? "--unix-socket \(listener.address.host) " : "") + url(listener)
    }
}
