extension SessionArchive {
    /// Returns a line for each stored session. It has no version, because that is known only when the turns are read.
    package func list() throws -> [String] {
        var lines: [String] = []
        let lead = try wallLead()
        try forEach { summary in
            let end = summary.hasEnded ? "ended" : "used \(Self.text(summary.usedAt + lead))"
            lines.append(
                "\(summary.id.shortText)  \(summary.machine)  created \(Self.text(summary.createdAt))  \(end)")
        }
        return lines
    }

    /// Returns a description of a stored session with its outputs and states, or without them if it is encrypted.
    package func show(_ name: String) throws -> [String] {
        let (summary, lead) = (try find(name), try wallLead())
        var lines = Self.lines(of: summary.moved(by: lead))
        guard !summary.hasEnded else { return lines + [try endLine(of: summary)] }
        let entry = try load(name).entry
        let rowBytes = entry.rows.lazy.map(\.content.count).reduce(0, +)
        lines.append(
            "stored    \(entry.snapshot?.content.count ?? 0) bytes, and \(rowBytes) bytes of turns after it (\(entry.rows.count))"
        )
        // The version of the summary is that of the snapshot. The rows are not read, although the key may be known.
        if let key = entry.sealedWith { return lines + ["encrypted with the key \(key)"] }
        guard let stored = try? StoredSession(entry) else { return lines + ["          cannot be read"] }
        assert(lines[2].hasPrefix("version "), "expected the version in the third line, got \(lines[2])")
        lines[2] = "version   \(stored.version)"
        let build = stored.build.isEmpty ? "" : " of \(stored.build)"
        lines.append("state     version \(stored.stateVersion), shape \(Self.text(stored.shape))\(build)")
        if let state = stored.preMigrationState {
            lines.append("former    state version \(state.stateVersion), kept until \(Self.text(state.until + lead))")
        }
        lines.append("keys      \(stored.keyed.count)")
        lines += Self.section("outputs", stored.shown)
        lines += Self.section("states", stored.states)
        return lines
    }

    private static func lines(of summary: SessionSummary) -> [String] {
        var lines = [
            "id        \(summary.id.text)", "machine   \(summary.machine)", "version   \(summary.version)",
            "created   \(text(summary.createdAt))", "used      \(text(summary.usedAt))",
        ]
        if let name = summary.name { lines.append("name      \(name.text)") }
        if let time = summary.expiresAt { lines.append("expires   \(text(time))") }
        if let time = summary.wakesAt { lines.append("wakes     \(text(time))") }
        return lines
    }

    /// Returns the line with the reason for which a session has ended.
    private func endLine(of summary: SessionSummary) throws -> String {
        let content = try useJournal { (try? $0.load(summary.id))?.snapshot?.content }
        guard let reason = content.flatMap({ EndReason(storedContent: $0) }) else { return "ended     yes" }
        return "ended     \(reason.name)\(reason.incident.map { ", incident \($0)" } ?? "")"
    }

    private static func section(_ heading: String, _ values: [String: ArraySlice<UInt8>]) -> [String] {
        guard !values.isEmpty else { return [] }
        return [heading]
            + values.sorted { $0.key < $1.key }.map { name, json in
                let text = String(decoding: json.prefix(200), as: UTF8.self)
                return "  \(name)  \(text)\(json.count > 200 ? "… (\(json.count) bytes)" : "")"
            }
    }

    private static func text(_ milliseconds: Int64) -> String { WallTime(seconds: milliseconds / 1000).text }

    private static func text(_ digest: RequestDigest) -> String {
        String(StoredSessionID(high: digest.high, low: digest.low).shortText)
    }
}
