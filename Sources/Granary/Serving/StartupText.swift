/// What a newcomer reads when the server is up.
enum StartupText {
    /// The address, the machines, and a line to try that works as it stands.
    static func text(address: String, machines: [(name: String, summary: String)]) -> String {
        let width = machines.map(\.name.count).max() ?? 0
        let list = machines.map { machine in
            "  \(machine.name)\(String(repeating: " ", count: width - machine.name.count))  \(machine.summary)"
        }
        var lines = ["Granary \(Version.current) serves on http://\(address)", ""] + list
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
