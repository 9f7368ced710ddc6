import JSONText
import StateCapture

/// A session as it is stored: everything it has promised to its clients, and the state of its machine.
///
/// It is created with the session, advanced by each ``TurnRecord``, and stored as a whole now and then.
struct StoredSession: Equatable {
    /// A recent change: the JSON object of its event.
    struct Change: Equatable {
        let version: UInt64
        let data: ArraySlice<UInt8>
        /// The span of its turn; nil if it belonged to no sampled trace, or a snapshot has stored the change.
        var traceparent: ArraySlice<UInt8>?
    }

    /// A remembered request.
    struct Keyed: Equatable {
        let key: RequestDigest
        let request: RequestDigest
        let response: ArraySlice<UInt8>
        /// The stored time at which it was received, in milliseconds.
        let time: Int64
    }

    var machine: String
    var epoch: Epoch
    /// The number of the generation of the journal in which the session was created; another number if it has had several epochs in one.
    var firstGeneration: UInt64 = 0
    /// The wall time of its creation, in seconds of Unix time: a date that clients see, from which nothing is computed.
    var created: Int64
    /// The stored time of the last input, in milliseconds.
    var lastInput: Int64
    var version: UInt64
    /// The JSON of each output with a value, by name.
    var shown: [String: ArraySlice<UInt8>] = [:]
    /// The most recent changes, oldest first, with consecutive versions that end with ``version``.
    var changes: [Change] = []
    /// The remembered requests, oldest first.
    var keyed: [Keyed] = []
    /// The state of each part of the machine, by its key.
    var states: [String: ArraySlice<UInt8>] = [:]
    var stateVersion = 1
    /// The digest of the machine's ``StateShape``.
    var shape = RequestDigest(low: 0, high: 0)
    /// The build that has created or migrated the session.
    var build = ""
    /// The session before its last migration; nil if it was not migrated, or the session before is no longer kept.
    var preMigrationState: PreMigrationState?

    /// The times at which it ended its process.
    var traps = TrapHistory()
    /// The effects and timers in progress, in the order of their starts.
    var effects: [OpenEffect] = []

    /// The digest of the client that has created it; nil if the client is not limited.
    var client: RequestDigest?

    /// The parameters with which it was created, as JSON; nil if its machine took none.
    var parameters: ArraySlice<UInt8>?
    /// Its name; nil if it has none.
    var named: Named?

    /// The principal to which it belongs.
    var ownership = SessionOwnership()

    /// Whether its machine was released with nothing in flight, and has done nothing since.
    var isAsleep = false

    /// The version of this encoding.
    private static let format: UInt64 = 1

    /// Begins another epoch, because clients have seen versions that no longer exist.
    mutating func beginEpoch() {
        epoch = .random()
        firstGeneration = Epoch.random().number
    }

    mutating func apply(_ record: TurnRecord) {
        isAsleep = false
        if record.trigger.isInput { lastInput = record.time }
        if record.hasTrapped { traps.add(record.time) }
        if let change = record.change {
            version = record.version
            changes.append(Change(version: version, data: change, traceparent: record.trace?.field))
            applyOutputs(of: change)
        }
        for (key, json) in StateChanges(record.states) { states[key] = json }
        effects.apply(record.effects)
        ownership.apply(record)
        guard let request = record.keyed else { return }
        let response = request.response ?? StoredSession.result(version: record.version, change: record.change)[...]
        keyed.append(Keyed(key: request.key, request: request.request, response: response, time: record.time))
    }

    /// The limits of what a stored session remembers, like a live one.
    struct Limits {
        var history = History.Limits(changes: .max, bytes: .max)
        /// The time for which a request is remembered, in milliseconds.
        var requestAge = Int64.max
    }

    /// Removes changes and requests that the limits of the host would have removed.
    ///
    /// - Parameter now: The stored time, in milliseconds.
    mutating func trim(to limits: Limits, at now: Int64) {
        var (count, bytes) = (0, 0)
        for change in changes.reversed() {
            bytes += change.data.count + ChangeEvent.overhead
            guard count == 0 || count < limits.history.changes && bytes <= limits.history.bytes else { break }
            count += 1
        }
        changes.removeFirst(changes.count - count)
        keyed.removeAll { now - $0.time >= limits.requestAge }
    }

    /// Returns the content of the response to an input.
    static func result(version: UInt64, change: ArraySlice<UInt8>?) -> [UInt8] {
        var json: [UInt8] = []
        json.append("{\"version\":")
        JSONWriter.append(version, to: &json)
        json.append(",\"changes\":")
        json.append(contentsOf: change ?? Array("{}".utf8)[...])
        json.append(UInt8(ascii: "}"))
        return json
    }

    private mutating func applyOutputs(of change: ArraySlice<UInt8>) {
        let bytes = Array(change)
        var scanner = JSONScanner(bytes)
        var found: [(name: String, value: ArraySlice<UInt8>)] = []
        try? scanner.members { key, value in
            guard let name = JSONValue(bytes: bytes, range: key).string else { return }
            found.append((name, bytes[value]))
        }
        for (name, value) in found where name != "$emitted" { shown[name] = value }
    }
}

extension StoredSession {
    func append(to bytes: inout [UInt8]) {
        var writer = RecordWriter()
        writer.exchange(&bytes)
        defer { writer.exchange(&bytes) }
        writer.append(StoredSession.format)
        writer.append(machine.utf8)
        assert(
            firstGeneration >> UInt64(64 - Epoch.bitCount) == 0,
            "expected a generation of \(64 - Epoch.bitCount) bits, got \(firstGeneration)")
        // Older builds ignore the upper bits.
        writer.append(epoch.bits | firstGeneration << Epoch.bitCount)
        writer.append(signed: created)
        writer.append(signed: lastInput)
        writer.append(version)
        writer.append(UInt64(stateVersion))
        writer.append(shape)
        writer.append(build.utf8)
        writer.append(flag: preMigrationState != nil)
        if let preMigrationState {
            writer.append(UInt64(preMigrationState.stateVersion))
            writer.append(signed: preMigrationState.until)
            writer.append(preMigrationState.content)
        }
        writer.append(UInt64(shown.count))
        for (name, json) in shown {
            writer.append(name.utf8)
            writer.append(json)
        }
        writer.append(UInt64(changes.count))
        for change in changes { writer.append(change.data) }
        writer.append(UInt64(keyed.count))
        for request in keyed {
            writer.append(request.key)
            writer.append(request.request)
            writer.append(request.response)
            writer.append(signed: request.time)
        }
        writer.append(UInt64(states.count))
        for (key, json) in states {
            writer.append(key.utf8)
            writer.append(json)
        }
        writer.append(UInt64(traps.times.count))
        for time in traps.times { writer.append(signed: time) }
        writer.append(UInt64(effects.count))
        for effect in effects { writer.append(effect) }
        appendEnd(to: &writer)
    }

    /// Appends the members that most sessions do not have.
    private func appendEnd(to writer: inout RecordWriter) {
        let members = extensions
        guard !members.isEmpty else {
            // The form that older builds read.
            writer.append(flag: isAsleep)
            if let client { writer.append(client) }
            return
        }
        writer.append(StoredSession.extended | (isAsleep ? 1 : 0))
        writer.append(UInt64(members.count + (client == nil ? 0 : 1)))
        if let client {
            writer.append(Extension.client.rawValue)
            var digest = RecordWriter()
            digest.append(client)
            writer.append(digest.take())
        }
        for (kind, content) in members {
            writer.append(kind.rawValue)
            writer.append(content)
        }
    }

    /// The additional members of the session, each with its content.
    private var extensions: [(kind: Extension, content: [UInt8])] {
        var members: [(kind: Extension, content: [UInt8])] = []
        if ownership != SessionOwnership() { members.append((.ownership, ownership.content)) }
        if let parameters { members.append((.parameters, Array(parameters))) }
        if let named { members.append((.name, named.content)) }
        // A session with another order cannot be read.
        assert(
            zip(members, members.dropFirst()).allSatisfy { $0.kind.rawValue < $1.kind.rawValue },
            "expected members in the order of their numbers")
        return members
    }

    /// The additional members that a session may have. The numbers are stored.
    private enum Extension: UInt64 {
        case client = 1
        case ownership = 2
        case parameters = 3
        case name = 4
    }

    /// Set in the number that follows the effects if members of ``Extension`` follow.
    private static let extended: UInt64 = 2

    private mutating func readEnd(_ reader: inout RecordReader) throws(RecordReader.Damaged) {
        let flags = try reader.number()
        guard flags <= StoredSession.extended | 1 else { throw RecordReader.Damaged() }
        isAsleep = flags & 1 != 0
        guard flags & StoredSession.extended != 0 else {
            // The last member, which sessions of clients without a limit do not have.
            if !reader.isAtEnd { client = try reader.digest() }
            return
        }
        var last: UInt64 = 0
        for _ in 0..<(try reader.count()) {
            // A member of a newer build may restrict who uses the session, so that it must not be ignored.
            guard let kind = Extension(rawValue: try reader.number()), kind.rawValue > last else {
                throw RecordReader.Damaged()
            }
            last = kind.rawValue
            let content = try reader.content()
            switch kind {
            case .client:
                var digest = RecordReader(content)
                client = try digest.digest()
                guard digest.isAtEnd else { throw RecordReader.Damaged() }
            case .ownership: ownership = try SessionOwnership(content)
            case .parameters: parameters = content
            case .name: named = try Named(content)
            }
        }
    }

    init(_ bytes: ArraySlice<UInt8>) throws(RecordReader.Damaged) {
        var reader = RecordReader(bytes)
        guard try reader.number() == StoredSession.format else { throw RecordReader.Damaged() }
        machine = try reader.text()
        let bits = try reader.number()
        epoch = Epoch(bits: bits)
        firstGeneration = bits >> Epoch.bitCount
        created = try reader.seconds()
        lastInput = try reader.time()
        version = try reader.version()
        stateVersion = Int(clamping: try reader.number())
        shape = try reader.digest()
        build = try reader.text()
        if try reader.flag() {
            let version = Int(clamping: try reader.number())
            let until = try reader.time()
            preMigrationState = PreMigrationState(stateVersion: version, until: until, content: try reader.content())
        }
        for _ in 0..<(try reader.count()) {
            let name = try reader.text()
            guard shown.updateValue(try reader.content(), forKey: name) == nil else { throw RecordReader.Damaged() }
        }
        let count = try reader.count()
        guard UInt64(count) <= version else { throw RecordReader.Damaged() }
        for index in 0..<count {
            changes.append(Change(version: version - UInt64(count - 1 - index), data: try reader.content()))
        }
        for _ in 0..<(try reader.count()) {
            let key = try reader.digest()
            let request = try reader.digest()
            let response = try reader.content()
            keyed.append(Keyed(key: key, request: request, response: response, time: try reader.time()))
        }
        for _ in 0..<(try reader.count()) {
            let key = try reader.text()
            guard states.updateValue(try reader.content(), forKey: key) == nil else { throw RecordReader.Damaged() }
        }
        for _ in 0..<(try reader.count()) { traps.add(try reader.time()) }
        for _ in 0..<(try reader.count()) { effects.append(try reader.effect()) }
        try readEnd(&reader)
        guard reader.isAtEnd else { throw RecordReader.Damaged() }
    }

    /// Reads a session from its snapshot and the rows after it, which may be encrypted.
    ///
    /// - Throws: ``UnreadableSession`` if the key is missing, or `RecordReader.Damaged`.
    init(_ entry: JournalEntry, opening seal: SessionSeal) throws {
        try self.init(try seal.open(entry))
    }

    /// Reads a session from its snapshot and the rows after it.
    init(_ entry: JournalEntry) throws(RecordReader.Damaged) {
        guard let snapshot = entry.snapshot else { throw RecordReader.Damaged() }
        try self.init(snapshot.content[...])
        for row in entry.rows {
            let record = try TurnRecord(row.content[...])
            // Versions count changes. With others, the history would begin before the first version.
            guard record.change == nil || record.version == version &+ 1 else { throw RecordReader.Damaged() }
            apply(record)
        }
    }
}
