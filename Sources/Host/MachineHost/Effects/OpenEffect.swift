/// An effect or timer that has started and has not ended, as the journal stores it.
struct OpenEffect: Equatable {
    /// The event that it waits for: an answer or a time.
    enum Work: Equatable {
        /// The answer to a question, with the question's JSON and the idempotency key.
        case answer(question: ArraySlice<UInt8>, key: String)
        /// A stored time, in nanoseconds.
        case time(Int64)

        var isAnswer: Bool { if case .answer = self { true } else { false } }
    }

    /// The number by which later turns refer to it.
    let id: UInt64
    let name: String
    /// The stored time at which it started, in milliseconds.
    let startedAt: Int64
    /// The number of times that it was asked.
    var lease: UInt64 = 1
    /// Whether it belongs to another session, of which this one is a copy. It is never asked again.
    var isForeign = false
    /// The names by which a restored machine cancels it.
    var cancellationNames: [String] = []
    /// The span of the turn that has started it; nil if it belongs to no sampled trace.
    var trace: TraceLink?
    var work: Work

    /// The prefix of the stored name that contains ``trace``. Older builds read it as a name by which nothing is cancelled.
    fileprivate static let tracePrefix = "\u{0}trace "
}

/// A change of an effect or timer by a turn.
enum EffectEvent: Equatable {
    case started(OpenEffect)
    /// The question is asked again, because the process ended before its answer.
    case asked(id: UInt64, lease: UInt64)
    /// A repeating timer has fired, and is due again.
    case fired(id: UInt64, due: Int64)
    case ended(id: UInt64, Outcome)

    /// The outcome of an effect or timer that has ended.
    enum Outcome: Equatable {
        /// Answered. The answer as JSON.
        case answer(ArraySlice<UInt8>)
        /// Failed. The error, or the name of its type, as JSON.
        case failure(ArraySlice<UInt8>)
        /// The timer has fired, or the effect ended without an answer.
        case finished
        case cancelled
        /// The process ended, and the question was not asked again.
        case interrupted
    }
}

extension [OpenEffect] {
    mutating func apply(_ events: [EffectEvent]) {
        for event in events {
            switch event {
            case .started(let effect): append(effect)
            case .asked(let id, let lease):
                if let index = index(of: id) { self[index].lease = lease }
            case .fired(let id, let due):
                if let index = index(of: id) { self[index].work = .time(due) }
            case .ended(let id, _): removeAll { $0.id == id }
            }
        }
    }

    /// Makes the effects those of a copy of their session: the questions of the other session are not asked for the copy.
    mutating func becomeForeign() {
        for index in indices { if case .answer = self[index].work { self[index].isForeign = true } }
    }

    private func index(of id: UInt64) -> Int? { firstIndex { $0.id == id } }
}

// The form in rows and snapshots.
extension RecordWriter {
    mutating func append(_ effect: OpenEffect) {
        append(effect.id)
        append(effect.name.utf8)
        append(signed: effect.startedAt)
        append(effect.lease)
        append(flag: effect.isForeign)
        append(UInt64(effect.cancellationNames.count + (effect.trace == nil ? 0 : 1)))
        for name in effect.cancellationNames { append(name.utf8) }
        if let trace = effect.trace { append((OpenEffect.tracePrefix + trace.text).utf8) }
        switch effect.work {
        case .answer(let question, let key):
            append(flag: true)
            append(question)
            append(key.utf8)
        case .time(let due):
            append(flag: false)
            append(signed: due)
        }
    }

    mutating func append(_ event: EffectEvent) {
        switch event {
        case .started(let effect):
            append(0)
            append(effect)
        case .asked(let id, let lease):
            append(1)
            append(id)
            append(lease)
        case .fired(let id, let due):
            append(2)
            append(id)
            append(signed: due)
        case .ended(let id, let outcome):
            append(outcome.code)
            append(id)
            if let json = outcome.json { append(json) }
        }
    }
}

extension EffectEvent.Outcome {
    fileprivate var code: UInt64 {
        switch self {
        case .answer: 3
        case .failure: 4
        case .finished: 5
        case .cancelled: 6
        case .interrupted: 7
        }
    }

    fileprivate var json: ArraySlice<UInt8>? {
        switch self {
        case .answer(let json), .failure(let json): json
        case .finished, .cancelled, .interrupted: nil
        }
    }
}

extension RecordReader {
    mutating func effect() throws(Damaged) -> OpenEffect {
        let id = try version()
        let name = try text()
        let startedAt = try time()
        let lease = try version()
        let isForeign = try flag()
        var names: [String] = []
        for _ in 0..<(try count()) { names.append(try text()) }
        var trace: TraceLink?
        if let last = names.last, last.hasPrefix(OpenEffect.tracePrefix) {
            trace = TraceLink(last.dropFirst(OpenEffect.tracePrefix.count))
            names.removeLast()
        }
        return OpenEffect(
            id: id, name: name, startedAt: startedAt, lease: lease, isForeign: isForeign, cancellationNames: names,
            trace: trace, work: try effectWork())
    }

    private mutating func effectWork() throws(Damaged) -> OpenEffect.Work {
        guard try flag() else { return .time(try signedNumber()) }
        let question = try content()
        return .answer(question: question, key: try text())
    }

    mutating func effectEvent() throws(Damaged) -> EffectEvent {
        let code = try number()
        if code == 0 { return .started(try effect()) }
        let id = try number()
        switch code {
        case 1: return .asked(id: id, lease: try version())
        case 2: return .fired(id: id, due: try signedNumber())
        case 3: return .ended(id: id, .answer(try content()))
        case 4: return .ended(id: id, .failure(try content()))
        case 5: return .ended(id: id, .finished)
        case 6: return .ended(id: id, .cancelled)
        case 7: return .ended(id: id, .interrupted)
        default: throw Damaged()
        }
    }
}
