import StateCapture

extension TurnRecord {
    /// Returns the first difference of a replayed turn, as a sentence; nil if none exists.
    ///
    /// Not compared are times, random keys, and the requests that the turn answered, which are not part of the machine.
    func difference(of replayed: TurnRecord) -> String? {
        guard ChangeText.isEqual(change, replayed.change) else {
            let hint =
                ChangeText.isEqual(change, replayed.change, inAnyOrder: true)
                ? "; only the order of elements differs, as that of a set does between processes" : ""
            return
                "expected the change \(ReplayText.clipped(change)), got \(ReplayText.clipped(replayed.change))\(hint)"
        }
        guard version == replayed.version else { return "expected version \(version), got \(replayed.version)" }
        guard effects.count == replayed.effects.count else {
            return "expected \(TurnRecord.text(effects)), got \(TurnRecord.text(replayed.effects))"
        }
        for (recorded, found) in zip(effects, replayed.effects) where !recorded.isSame(as: found) {
            return "expected that \(recorded.text), got that \(found.text)"
        }
        return nil
    }

    private static func text(_ effects: [EffectEvent]) -> String {
        effects.isEmpty ? "no effect" : "that " + effects.map(\.text).joined(separator: ", ")
    }

    private enum ChangeText {
        static func isEqual(_ one: ArraySlice<UInt8>?, _ other: ArraySlice<UInt8>?, inAnyOrder: Bool = false) -> Bool {
            guard let one, let other else { return one == nil && other == nil }
            return StateValue.isSame(one, other, inAnyOrder: inAnyOrder)
        }
    }
}

extension StateValue {
    /// Returns whether two JSON texts have the same value.
    ///
    /// - Parameter inAnyOrder: Whether the order of elements does not matter.
    static func isSame(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>, inAnyOrder: Bool) -> Bool {
        if one == other { return true }
        guard let left = try? StateValue(json: one), let right = try? StateValue(json: other) else { return false }
        return inAnyOrder ? left.sorted == right.sorted : left == right
    }

    /// The value with the elements of all arrays in the order of their texts.
    private var sorted: StateValue {
        switch self {
        case .array(let elements):
            let texts = elements.map { ($0.sorted, $0.sorted.json) }
            return .array(texts.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0))
        case .object(let members): return .object(members.mapValues(\.sorted))
        case .null, .boolean, .number, .string: return self
        }
    }
}

extension EffectEvent {
    fileprivate func isSame(as other: EffectEvent) -> Bool {
        switch (self, other) {
        case (.started(let one), .started(let other)):
            guard one.id == other.id, one.name == other.name else { return false }
            switch (one.work, other.work) {
            case (.answer(let question, _), .answer(let found, _)):
                return StateValue.isSame(question, found, inAnyOrder: true)
            case (.time(let due), .time(let found)): return EffectEvent.isNear(due, found)
            case (.answer, .time), (.time, .answer): return false
            }
        case (.fired(let id, let due), .fired(let other, let found)):
            return id == other && EffectEvent.isNear(due, found)
        case (.ended(let id, .answer(let json)), .ended(let other, .answer(let found))):
            return id == other && StateValue.isSame(json, found, inAnyOrder: true)
        // A failure that is not `Codable` is replayed as another one.
        case (.ended(let id, .failure), .ended(let other, .failure)): return id == other
        default: return self == other
        }
    }

    /// The difference between two times that is not one, in nanoseconds.
    private static let tolerance: Int64 = 1_000_000

    private static func isNear(_ one: Int64, _ other: Int64) -> Bool {
        let (difference, isBeyond) = one.subtractingReportingOverflow(other)
        return !isBeyond && difference.magnitude <= tolerance.magnitude
    }

    fileprivate var text: String {
        switch self {
        case .started(let effect):
            switch effect.work {
            case .answer(let question, _):
                "effect \(effect.id) \"\(effect.name)\" starts with \(ReplayText.clipped(question))"
            case .time: "timer \(effect.id) \"\(effect.name)\" starts"
            }
        case .asked(let id, _): "effect \(id) is asked again"
        case .fired(let id, _): "timer \(id) fires"
        case .ended(let id, let outcome):
            switch outcome {
            case .answer(let json): "effect \(id) is answered with \(ReplayText.clipped(json))"
            case .failure(let json): "effect \(id) fails with \(ReplayText.clipped(json))"
            case .finished: "effect or timer \(id) ends"
            case .cancelled: "effect or timer \(id) is cancelled"
            case .interrupted: "effect or timer \(id) is interrupted"
            }
        }
    }
}
