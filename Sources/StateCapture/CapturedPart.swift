/// One registered part of a machine, and its state as it was last captured. Confined to the session's loop.
class CapturedPart {
    /// Whether nothing but the registry uses the part any more.
    func isUnused() -> Bool { false }

    /// Appends the states that have changed since the last call, or all states, by the names under which they are
    /// stored. Returns their number.
    func appendChanges(to bytes: inout [UInt8], all: Bool) throws -> Int {
        preconditionFailure("\(Self.self) must override appendChanges(to:all:)")
    }

    /// Starts what the restored state requires.
    func resume() {}
}

/// A part that is an object, such as an operator's subscription.
final class ObjectPart<Object: StatefulPart>: CapturedPart {
    private let key: String
    // Strong: a weak reference would move the reference counts of an operator, which are on the path of every event, to
    // a side table. The registry drops a part that nothing else uses.
    private var object: Object
    private let codec: StateCodec<Object.PartState>
    private let comparesBytes = StateComparison.isSound(for: Object.PartState.self)
    private var last = Last.unknown

    private enum Last {
        case unknown
        case ended
        case state(Object.PartState)
    }

    init(key: String, _ object: Object, _ codec: StateCodec<Object.PartState>) {
        self.key = key
        self.object = object
        self.codec = codec
    }

    /// Puts the stored state back.
    func restore(_ json: ArraySlice<UInt8>) throws {
        if json.elementsEqual("null".utf8) {
            object.restore(nil)
            last = .ended
            return
        }
        let state = try codec.decode(json.dropFirst().dropLast())
        object.restore(state)
        last = .state(state)
    }

    override func isUnused() -> Bool { isKnownUniquelyReferenced(&object) }

    override func appendChanges(to bytes: inout [UInt8], all: Bool) throws -> Int {
        guard let state = object.partState else {
            if case .ended = last, !all { return 0 }
            last = .ended
            return append(to: &bytes) { $0.append(contentsOf: "null".utf8) }
        }
        if !all, comparesBytes, case .state(let former) = last, StateComparison.hasSameBytes(former, state) {
            return 0
        }
        // In an array, because a state may itself be `null`, which is the mark of a part that has ended.
        let count = try append(to: &bytes) { json in
            json.append(UInt8(ascii: "["))
            try codec.encode(state, &json)
            json.append(UInt8(ascii: "]"))
        }
        last = .state(state)
        return count
    }

    private func append(to bytes: inout [UInt8], _ write: (inout [UInt8]) throws -> Void) rethrows -> Int {
        _ = try StateChanges.append(key, to: &bytes) { json in
            try write(&json)
            return true
        }
        return 1
    }

    override func resume() {
        object.resume()
    }
}
