import Access
import StateCapture

/// One turn of a session, as the journal stores it: everything that changed.
struct TurnRecord: Equatable {
    enum Trigger: Equatable {
        /// A scheduled block, a timer or a value from another thread.
        case scheduled
        /// An input with the JSON of its value.
        case input(name: String, value: ArraySlice<UInt8>)
        /// A batch of inputs, as its JSON.
        case batch(ArraySlice<UInt8>)
        /// A value of a topic, with its number and its JSON.
        case received(topic: String, number: UInt64, value: ArraySlice<UInt8>)
        /// The machine was restored in another process, or after it was dormant.
        case resumed

        /// Whether a client has sent something.
        var isInput: Bool {
            switch self {
            case .input, .batch: true
            case .scheduled, .received, .resumed: false
            }
        }

        /// Whether it came from outside of the session and is needed for a replay, whatever the turn has changed.
        var isFromOutside: Bool {
            switch self {
            case .input, .batch, .received: true
            case .scheduled, .resumed: false
            }
        }
    }

    /// A request with an idempotency key that the turn answered.
    struct KeyedResponse: Equatable {
        let key: RequestDigest
        let request: RequestDigest
        /// The remembered response; nil if it follows from the turn's version and change.
        let response: ArraySlice<UInt8>?
    }

    /// The stored time, in milliseconds.
    var time: Int64
    /// The nanoseconds of that time within its millisecond, so that a replay finds the timers that were due.
    var fraction: UInt64 = 0
    /// By how much the wall clock was ahead of stored times, in milliseconds, so that a replay has the same date.
    var wallLead: Int64 = 0
    var trigger = Trigger.scheduled
    /// The version after the turn.
    var version: UInt64
    /// The JSON object of the changed outputs and emitted events; nil if nothing changed, and the version stayed.
    var change: ArraySlice<UInt8>?
    /// The changed states, as `StateChanges` reads them.
    var states: ArraySlice<UInt8> = []
    var keyed: KeyedResponse?
    /// The effects and timers that started and ended, in order. An answer or a shot of a timer is what caused the turn.
    var effects: [EffectEvent] = []
    /// Whether the turn ended the process, and was undone.
    var hasTrapped = false
    /// The sender of the input; nil for other turns, and for clients without credentials.
    var sender: RecordedSender?
    /// The ledger of the session's tickets, if it has changed.
    var tickets: TicketLedger?
    /// The span of the turn; nil if it belongs to no sampled trace.
    var trace: TraceLink?

    /// Whether the turn left nothing to restore and answered nobody.
    var isEmpty: Bool {
        change == nil && states.isEmpty && keyed == nil && !trigger.isFromOutside && effects.isEmpty && !hasTrapped
    }

    private enum Flag {
        static let change: UInt64 = 1
        static let input: UInt64 = 2
        static let batch: UInt64 = 4
        static let keyed: UInt64 = 8
        static let response: UInt64 = 16
        static let effects: UInt64 = 32
        static let trapped: UInt64 = 64
        static let resumed: UInt64 = 128
        static let sender: UInt64 = 256
        static let sameSender: UInt64 = 512
        static let tickets: UInt64 = 1024
        static let received: UInt64 = 2048
    }

    func append(to bytes: inout [UInt8]) {
        assert(fraction < TurnRecord.fractions, "expected nanoseconds within a millisecond, got \(fraction)")
        var writer = RecordWriter()
        writer.exchange(&bytes)
        defer { writer.exchange(&bytes) }
        var flags: UInt64 = change == nil ? 0 : Flag.change
        switch trigger {
        case .scheduled: break
        case .input: flags |= Flag.input
        case .batch: flags |= Flag.batch
        case .received: flags |= Flag.received
        case .resumed: flags |= Flag.resumed
        }
        if let keyed { flags |= keyed.response == nil ? Flag.keyed : Flag.keyed | Flag.response }
        if hasTrapped { flags |= Flag.trapped }
        if !effects.isEmpty || trace != nil { flags |= Flag.effects }
        if let sender { flags |= sender == .same ? Flag.sameSender : Flag.sender }
        if tickets != nil { flags |= Flag.tickets }
        writer.append(flags)
        writer.append(signed: time)
        // One number, of which older builds read the fraction only.
        writer.append(fraction &+ TurnRecord.fractions &* UInt64(bitPattern: wallLead << 1 ^ wallLead >> 63))
        writer.append(version)
        if let change { writer.append(change) }
        switch trigger {
        case .scheduled: break
        case .input(let name, let value):
            writer.append(name.utf8)
            writer.append(value)
        case .batch(let inputs): writer.append(inputs)
        case .received(let topic, let number, let value):
            writer.append(topic.utf8)
            writer.append(number)
            writer.append(value)
        case .resumed: break
        }
        if let keyed {
            writer.append(keyed.key)
            writer.append(keyed.request)
            if let response = keyed.response { writer.append(response) }
        }
        writer.append(states)
        if !effects.isEmpty || trace != nil {
            writer.append(UInt64(effects.count + (trace == nil ? 0 : 1)))
            // Older builds read it as the answer to an effect that does not exist, and ignore it.
            if let trace { writer.append(.ended(id: TurnRecord.traceID, .answer(trace.json))) }
            for event in effects { writer.append(event) }
        }
        if case .new(let sender)? = sender { writer.append(sender) }
        if let tickets { writer.append(tickets) }
    }

    init(time: Int64, version: UInt64) {
        self.time = time
        self.version = version
    }

    /// Creates the record of a session's turn in the current round.
    init(of session: Session, at clock: LoopClock) {
        let nanoseconds = clock.storedNanoseconds
        time = nanoseconds / 1_000_000
        fraction = UInt64(max(0, nanoseconds % 1_000_000))
        wallLead = clock.stored.wallLead
        version = session.version
    }

    /// The number of the event that contains ``trace``. Effects count from 1.
    private static let traceID: UInt64 = 0

    private mutating func note(_ event: EffectEvent) {
        guard case .ended(TurnRecord.traceID, .answer(let json)) = event else { return effects.append(event) }
        trace = TraceLink(json: json)
    }

    /// The number of nanoseconds in a millisecond.
    private static let fractions: UInt64 = 1_000_000

    /// The stored time in nanoseconds.
    var nanoseconds: Int64 {
        time.millisecondsInNanoseconds.addingClamped(Int64(fraction % TurnRecord.fractions))
    }

    /// The time that the wall clock showed, in milliseconds of Unix time.
    var wallTime: Int64 { time &+ wallLead }

    /// Creates the record of a turn that ended its process.
    init(_ trapped: TrappedTurn, incident: String, version: UInt64, time: Int64) {
        self.init(time: time, version: version)
        hasTrapped = true
        guard let key = trapped.key, let request = trapped.request else { return }
        let response = RememberedRefusal.inputUndone(incident: incident).bytes
        keyed = KeyedResponse(key: key, request: request, response: response[...])
    }

    init(_ bytes: ArraySlice<UInt8>) throws(RecordReader.Damaged) {
        var reader = RecordReader(bytes)
        let flags = try reader.number()
        time = try reader.time()
        let (lead, fraction) = try reader.number().quotientAndRemainder(dividingBy: TurnRecord.fractions)
        self.fraction = fraction
        wallLead = Int64(bitPattern: lead >> 1) ^ -Int64(bitPattern: lead & 1)
        version = try reader.version()
        hasTrapped = flags & Flag.trapped != 0
        if flags & Flag.change != 0 { change = try reader.content() }
        if flags & Flag.input != 0 {
            let name = try reader.text()
            trigger = .input(name: name, value: try reader.content())
        } else if flags & Flag.batch != 0 {
            trigger = .batch(try reader.content())
        } else if flags & Flag.received != 0 {
            let topic = try reader.text()
            let number = try reader.version()
            trigger = .received(topic: topic, number: number, value: try reader.content())
        } else if flags & Flag.resumed != 0 {
            trigger = .resumed
        }
        if flags & Flag.keyed != 0 {
            let key = try reader.digest()
            let request = try reader.digest()
            keyed = KeyedResponse(
                key: key, request: request, response: flags & Flag.response != 0 ? try reader.content() : nil)
        }
        states = try reader.content()
        if flags & Flag.effects != 0 {
            for _ in 0..<(try reader.count()) { note(try reader.effectEvent()) }
        }
        if flags & Flag.sameSender != 0 { sender = .same }
        if flags & Flag.sender != 0 { sender = .new(try reader.sender()) }
        if flags & Flag.tickets != 0 { tickets = try reader.tickets() }
        guard reader.isAtEnd else { throw RecordReader.Damaged() }
    }
}
