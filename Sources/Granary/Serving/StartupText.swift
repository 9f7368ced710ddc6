/// What a newcomer reads when the server is up.
enum StartupText {
    /// The address, that for TLS and the fingerprint of a certificate that nobody knows yet, the machines, and a line to
    /// try that works as it stands.
    static func text(
        address: String, secureAddress: String? = nil, fingerprint: String? = nil,
        machines: [(name: String, summary: String)]
    ) -> String {
        let width = machines.map(\.name.count).max() ?? 0
        let list = machines.map { machine in
            "  \(machine.name)\(String(repeating: " ", count: width - machine.name.count))  \(machine.summary)"
        }
        var lines = ["Granary \(Version.current) serves on http://\(address)"]
        if let secureAddress { lines.append("and on https://\(secureAddress)") }
        if let fingerprint {
            lines.append("with a certificate made for this run, whose SHA-256 is \(fingerprint)")
        }
        lines += [""] + list
        if let first = machines.first {
            let body = "{\"machine\":\"\(first.name)\"}"
            lines += [
                "", "Open the address in a browser, or try:", "",
                "  curl -i http://\(address)/v1/sessions -H 'Content-Type: application/json' -d '\(body)'",
            ]
        }
        return lines.joined(separator: "\n")
    }
}
