import HTTPModel
import JSONText
import StateCapture

/// A recorded turn in words for operators.
struct TurnDescription {
    private let turn: RecordedTurns.Turn
    private let former: StoredSession
    private let disclosure: ValueDisclosure
    private let recent: RecentTurns.Turn?

    /// Creates the description of the turn that a sequence has just returned.
    ///
    /// - Parameter recent: What its loop remembers of it; nil if it does not.
    init(
        _ turn: RecordedTurns.Turn, after former: StoredSession, _ disclosure: ValueDisclosure,
        recent: RecentTurns.Turn? = nil
    ) {
        (self.turn, self.former, self.disclosure, self.recent) = (turn, former, disclosure, recent)
    }

    /// The turn as JSON: when it ran, what caused it, what it changed, and what it started.
    var json: StateValue {
        let record = turn.record
        var json: StateValue = [
            "number": StateValue(turn.number), "time": StateValue(time: record.wallTime),
            "version": StateValue(record.version), "trigger": trigger, "bytes": StateValue(turn.byteCount),
            "changes": .array(changes), "states": .array(states), "effects": .array(record.effects.map(described)),
        ]
        let emitted = emissions
        if !emitted.isEmpty { json["emitted"] = .array(emitted) }
        if let trace = record.trace { json["traceparent"] = .string(trace.context.traceparent) }
        if let recent { json["nanoseconds"] = StateValue(recent.nanoseconds) }
        if let streams = recent?.streams, record.change != nil { json["streams"] = StateValue(streams) }
        return json
    }

    /// The JSON of a turn of which only the change is known, and what its loop may remember.
    ///
    /// - Parameter inputs: The inputs of its machine.
    func json(ofInputs inputs: [InputDefinition]) -> StateValue {
        var json = json
        json["bytes"] = nil
        json["time"] = StateValue(time: recent?.time)
        json["trigger"] =
            switch recent?.cause {
            case nil: .null
            case .scheduled: ["kind": "scheduled"]
            case .batch: ["kind": "batch"]
            case .received: ["kind": "received"]
            case .restored: ["kind": "restored"]
            case .input(let place):
                ["kind": "input", "name": StateValue(place.flatMap { inputs.dropFirst(Int($0)).first?.name })]
            }
        return json
    }

    // What caused the turn.
    private var trigger: StateValue {
        if turn.record.hasTrapped { return ["kind": "trap"] }
        switch turn.record.trigger {
        case .input(let name, let value):
            var trigger = disclosure.described(name, value)
            trigger["kind"] = "input"
            return trigger
        case .batch(let inputs): return ["kind": "batch", "inputs": .array(described(batch: inputs))]
        case .received(let topic, let number, let value):
            let received: StateValue = [
                "kind": "received", "name": .string(topic), "number": StateValue(number),
                "bytes": StateValue(value.count),
            ]
            return adding(value, as: "value", to: received)
        case .resumed: return ["kind": "restored"]
        case .scheduled: return scheduled
        }
    }

    /// The cause of a turn that no client has caused: the first answer or shot in it.
    private var scheduled: StateValue {
        for event in turn.record.effects {
            switch event {
            case .fired(let id, _): return ["kind": "timer", "name": StateValue(name(of: id))]
            case .ended(let id, let outcome):
                guard let effect = former.effects.first(where: { $0.id == id }) else { continue }
                switch (effect.work, outcome) {
                case (.time, .finished): return ["kind": "timer", "name": .string(effect.name)]
                case (.answer, .answer), (.answer, .finished): return ["kind": "answer", "name": .string(effect.name)]
                case (.answer, .failure): return ["kind": "failure", "name": .string(effect.name)]
                default: continue
                }
            case .started, .asked: continue
            }
        }
        return ["kind": "scheduled"]
    }

    private func described(batch inputs: ArraySlice<UInt8>) -> [StateValue] {
        guard case .array(let elements) = StateValue.read(inputs) else { return [] }
        return elements.map { element in
            disclosure.described(element["input"]?.text ?? "", (element["value"] ?? .null).json[...])
        }
    }

    // What the turn changed.
    private var members: [(name: String, value: ArraySlice<UInt8>)] {
        guard let change = turn.record.change else { return [] }
        let bytes = Array(change)
        var scanner = JSONScanner(bytes)
        var members: [(name: String, value: ArraySlice<UInt8>)] = []
        try? scanner.members { key, value in
            guard let name = JSONValue(bytes: bytes, range: key).string else { return }
            members.append((name, bytes[value]))
        }
        return members
    }

    private var changes: [StateValue] {
        members.filter { $0.name != "$emitted" }.map { name, value in
            var change = disclosure.described(name, value)
            if change["value"] != nil, let before = former.shown[name] { change["former"] = StateValue.read(before) }
            return change
        }
    }

    private var emissions: [StateValue] {
        guard let list = members.first(where: { $0.name == "$emitted" })?.value,
            case .array(let elements) = StateValue.read(list)
        else { return [] }
        return elements.map { element in
            disclosure.described(element["output"]?.text ?? "", (element["value"] ?? .null).json[...])
        }
    }

    private var states: [StateValue] {
        StateChanges(turn.record.states).map { .string($0.key) }.sorted { $0.text ?? "" < $1.text ?? "" }
    }

    // What the turn started and ended.
    private func described(_ event: EffectEvent) -> StateValue {
        switch event {
        case .started(let effect):
            var json: StateValue = ["event": "started", "id": StateValue(effect.id), "name": .string(effect.name)]
            if case .answer(let question, _) = effect.work { return adding(question, as: "question", to: json) }
            json["isTimer"] = true
            return json
        case .asked(let id, _): return ["event": "asked again", "id": StateValue(id), "name": StateValue(name(of: id))]
        case .fired(let id, _): return ["event": "fired", "id": StateValue(id), "name": StateValue(name(of: id))]
        case .ended(let id, let outcome):
            let json: StateValue = [
                "event": .string(outcome.name), "id": StateValue(id), "name": StateValue(name(of: id)),
            ]
            switch outcome {
            case .answer(let answer): return adding(answer, as: "answer", to: json)
            case .failure(let failure): return adding(failure, as: "failure", to: json)
            case .finished, .cancelled, .interrupted: return json
            }
        }
    }

    private func adding(_ value: ArraySlice<UInt8>, as name: String, to json: StateValue) -> StateValue {
        guard disclosure.isRevealed, !disclosure.concealsStates else { return json }
        var json = json
        json[name] = StateValue.read(value)
        return json
    }

    /// Returns the name of an effect that was in progress, or that this turn has started.
    private func name(of id: UInt64) -> String? {
        if let known = former.effects.first(where: { $0.id == id }) { return known.name }
        for case .started(let effect) in turn.record.effects where effect.id == id { return effect.name }
        return nil
    }
}

extension EffectEvent.Outcome {
    fileprivate var name: String {
        switch self {
        case .answer: "answered"
        case .failure: "failed"
        case .finished: "finished"
        case .cancelled: "cancelled"
        case .interrupted: "interrupted"
        }
    }
}
