import Access
import HTTPModel
import JSONText
import StateCapture

/// The text form of a stored session.
///
/// Somebody else may have written the text. What is read from it is safe to calculate with. The content of the session is read by
/// ``examined(opening:)``.
struct ExportedSession {
    /// The version of the form.
    private static let format = 1
    /// The maximum depth of the text: the file, its rows, and what a newer build may add.
    private static let nestingLimit = 16
    /// The greatest number of a row. A journal cannot store a greater one.
    private static let greatestRow = UInt64(Int64.max)

    let summary: SessionSummary
    let entry: JournalEntry
    /// The version of the snapshot; nil if the snapshot is encrypted, or an older build has written the text.
    let beginsAt: UInt64?

    /// Creates the form of a stored session.
    init(_ summary: SessionSummary, _ entry: JournalEntry) {
        self.summary = summary
        self.entry = entry
        beginsAt = (entry.snapshot?.content[...]).flatMap { try? StoredSession($0).version }
    }

    var text: String {
        var rows: [StateValue] = []
        for row in entry.rows {
            rows.append([
                "number": .number("\(row.number)"), "wakesAt": row.wakesAt.map { .number("\($0)") } ?? .null,
                "content": .string(Base64URL.text(of: row.content)),
            ])
        }
        var file: StateValue = [
            "format": "granary-session", "formatVersion": StateValue(integerLiteral: Self.format),
            "id": .string(summary.id.text), "machine": .string(summary.machine),
            "version": .number("\(summary.version)"), "createdAt": .number("\(summary.createdAt)"),
            "usedAt": .number("\(summary.usedAt)"),
            "expiresAt": summary.expiresAt.map { .number("\($0)") } ?? .null,
            "wakesAt": summary.wakesAt.map { .number("\($0)") } ?? .null,
            "covers": .number("\(entry.snapshot?.covers ?? 0)"),
            "snapshot": .string(Base64URL.text(of: entry.snapshot?.content ?? [])), "rows": .array(rows),
            "digest": .string(digest),
        ]
        if let beginsAt { file["beginsAt"] = .number("\(beginsAt)") }
        return String(decoding: file.json, as: UTF8.self)
    }

    /// A digest of all members that are read, so that a file which was damaged or cut is not taken for another session. It is no
    /// protection against somebody who computes it again.
    private var digest: String {
        var writer = RecordWriter()
        for word in [summary.id.high, summary.id.low, summary.version, entry.snapshot?.covers ?? 0] {
            writer.append(word)
        }
        writer.append(summary.machine.utf8)
        for time in [summary.createdAt, summary.usedAt, summary.expiresAt ?? .min, summary.wakesAt ?? .min] {
            writer.append(signed: time)
        }
        // Digests of the contents, so that these are not copied.
        writer.append((entry.snapshot?.content ?? []).digest)
        writer.append(UInt64(entry.rows.count))
        for row in entry.rows {
            writer.append(row.number)
            writer.append(signed: row.wakesAt ?? .min)
            writer.append(row.content.digest)
        }
        return Base64URL.text(of: writer.take().digest)
    }

    /// Reads a text.
    ///
    /// - Throws: ``ArchiveError/notExported(_:)`` with the member that is not as expected.
    init(_ text: String) throws(ArchiveError) {
        let bytes = Array(text.utf8)
        guard let range = try? JSONScanner.document(bytes, nestingLimit: Self.nestingLimit) else {
            throw .notExported("it is another file, or not complete")
        }
        let reading = JSONReading(bytes)
        let file = JSONValue(bytes: bytes, range: range)
        guard file.member("format")?.string == "granary-session" else {
            throw .notExported("it is another file, or not complete")
        }
        let members = try ExportedMembers(of: file, reading, at: "")
        let version = try members.number("formatVersion", in: 0...UInt64(Int.max))
        guard version == Self.format else {
            let found = version > Self.format ? "\(version), which a newer build has written" : "\(version)"
            throw .notExported("its format has version \(found), and this build reads version \(Self.format)")
        }
        summary = try Self.summary(members)
        let covers = try members.number("covers", in: 0...Self.greatestRow)
        let snapshot = SessionSnapshot(summary: summary, covers: covers, content: try members.bytes("snapshot"))
        entry = JournalEntry(snapshot: snapshot, rows: try Self.rows(members, reading, after: covers))
        beginsAt = try members.optional("beginsAt") { (name) throws(ArchiveError) in
            try members.number(name, in: 0...ExaminedSession.greatestVersion)
        }
        // Files of older builds have none.
        let stated = try members.optional("digest") { (name) throws(ArchiveError) in try members.text(name) }
        guard stated == nil || stated == digest else {
            throw .notExported("expected content with the digest that it states, got other content: it was changed")
        }
    }

    private static func summary(_ members: ExportedMembers) throws(ArchiveError) -> SessionSummary {
        let id = try members.text("id")
        guard id.utf8.count == 32, let stored = StoredSessionID(beginning: id) else {
            throw .notExported("expected 32 hexadecimal digits as \"id\", got a string of \(id.utf8.count) bytes")
        }
        let readTime = { (name: String) throws(ArchiveError) in try members.time(name) }
        return SessionSummary(
            id: stored, machine: try members.text("machine"),
            version: try members.number("version", in: 0...ExaminedSession.greatestVersion),
            createdAt: try readTime("createdAt"), usedAt: try readTime("usedAt"),
            expiresAt: try members.optional("expiresAt", readTime), wakesAt: try members.optional("wakesAt", readTime),
            hasEnded: false)
    }

    private static func rows(
        _ members: ExportedMembers, _ reading: JSONReading, after covers: UInt64
    ) throws(ArchiveError) -> [JournalEntry.Row] {
        var (rows, last): ([JournalEntry.Row], UInt64) = ([], covers)
        for element in try members.elements("rows") {
            let row = try ExportedMembers(of: element, reading, at: "rows/\(rows.count)/")
            let number = try row.number("number", in: 0...greatestRow)
            guard number > last else {
                throw .notExported("expected a number above \(last) as \"rows/\(rows.count)/number\", got \(number)")
            }
            last = number
            let wakesAt = try row.optional("wakesAt") { (name) throws(ArchiveError) in try row.time(name) }
            rows.append(JournalEntry.Row(number: number, wakesAt: wakesAt, content: try row.bytes("content")))
        }
        return rows
    }
}

extension [UInt8] {
    fileprivate var digest: [UInt8] { withUnsafeBytes { Digest.sha256($0) }.bytes }
}

/// The members of an object in an exported text, by name. Unknown members are ignored: a newer build may have added them.
private struct ExportedMembers {
    private var values: [String: JSONValue] = [:]
    /// The place of the object in the file, for messages.
    private let place: String

    init(of object: JSONValue, _ reading: JSONReading, at place: String) throws(ArchiveError) {
        self.place = place
        guard object.kind == .object else {
            throw .notExported("expected an object at \"\(place)\", got \(object.kind.name)")
        }
        for member in reading.members(of: object) {
            let value = JSONValue(bytes: object.bytes, range: member.value)
            guard values.updateValue(value, forKey: member.name) == nil else {
                throw .notExported("expected one member \"\(place)\(member.name.prefix(64))\", got two")
            }
        }
    }

    func text(_ name: String) throws(ArchiveError) -> String {
        guard let text = values[name]?.string else { throw mismatch(name, "a string") }
        return text
    }

    func number(_ name: String, in range: ClosedRange<UInt64>) throws(ArchiveError) -> UInt64 {
        guard let number = digits(name).flatMap({ UInt64($0) }), range.contains(number) else {
            throw mismatch(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func time(_ name: String) throws(ArchiveError) -> Int64 {
        let range = RecordReader.times
        guard let time = digits(name).flatMap({ Int64($0) }), range.contains(time) else {
            throw mismatch(
                name, "milliseconds since 1970, a whole number from \(range.lowerBound) to \(range.upperBound),")
        }
        return time
    }

    func bytes(_ name: String) throws(ArchiveError) -> [UInt8] {
        // Without the text as a string, which would be another copy of most of the file.
        guard let value = values[name], value.kind == .string,
            let bytes = Base64URL.bytes(of: value.slice.dropFirst().dropLast())
        else { throw mismatch(name, "a string in base64url") }
        return bytes
    }

    func elements(_ name: String) throws(ArchiveError) -> [JSONValue] {
        guard let elements = values[name]?.elements else { throw mismatch(name, "an array") }
        return elements
    }

    /// Returns what a closure reads; nil if the member is missing or `null`.
    func optional<Value>(
        _ name: String, _ read: (String) throws(ArchiveError) -> Value
    ) throws(ArchiveError) -> Value? {
        guard let value = values[name], value.kind != .null else { return nil }
        return try read(name)
    }

    private func digits(_ name: String) -> String? {
        guard let value = values[name], value.kind == .number, value.range.count <= 20 else { return nil }
        return String(decoding: value.slice, as: UTF8.self)
    }

    private func mismatch(_ name: String, _ expected: String) -> ArchiveError {
        let found =
            switch values[name] {
            case nil: "nothing"
            case let value? where value.kind == .number: String(decoding: value.slice.prefix(40), as: UTF8.self)
            case let value? where value.kind == .string: "a string of \(value.range.count - 2) bytes"
            case let value?: value.kind.name
            }
        return .notExported("expected \(expected) as \"\(place)\(name)\", got \(found)")
    }
}
