// The parts and members that register while the machine is wired.
extension StateRegistry {
    /// Adds a part, and gives it its stored state if the machine is restored.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - name: The name under which the state is stored.
    ///   - types: The types of the values in the state; see ``StatefulPart/valueTypes``.
    public func register<Part: StatefulPart>(
        _ part: Part, named name: String = Part.keyName, holding types: [any Any.Type] = Part.valueTypes
    ) {
        if let key = nextKey(for: Part.self, named: name) { add(part, key, named: name, holding: types) }
    }

    /// Adds a part that may have registered itself as an object with a state when it was created, with the name of the part.
    public func register<Part: StatefulPart & StateHolder>(subscribed part: Part) {
        guard let key = nextKey(for: Part.self, named: Part.keyName) else { return }
        if removeCreatedPart(of: ObjectIdentifier(part), for: key) {
            add(part, key, named: Part.keyName, holding: Part.valueTypes)
        }
    }

    /// Returns the key of the next part; nil if the name is transient.
    private func nextKey<Part: StatefulPart>(for part: Part.Type, named name: String) -> String? {
        if isTransient(name) { return nil }
        // Not the types that a caller names: the mark of a type is kept, and operators that share one implementation name others.
        return keys.next(name + TypeMark.of(Part.self, [Part.PartState.self] + Part.valueTypes))
    }

    private func add<Part: StatefulPart>(
        _ part: Part, _ key: String, named name: String, holding types: [any Any.Type]
    ) {
        if let type = types.first(where: { !StateTypes.isCapturable($0) }) {
            return addObstacle(CaptureObstacle(part: name, type: String(reflecting: type)))
        }
        guard let codec = KnownCodecs.codec(of: Part.PartState.self) else {
            return addObstacle(CaptureObstacle(part: name, type: String(reflecting: Part.PartState.self)))
        }
        if Part.mayHaveUncapturedWork { mayHaveUncapturedWork = true }
        add(ObjectPart.make(keys.make(key, codec), part), key)
    }

    /// Adds what keeps the machine from being captured, unless the operator is ``transient``.
    public func addObstacle(_ obstacle: CaptureObstacle) {
        if !isTransient(obstacle.part) { notes.found.append((obstacle, nil)) }
    }

    /// Adds what keeps a value from being captured that the wired machine has, and that other values of its type do not have.
    public func addObstacleOfValues() {
        var states: [UInt8] = []
        do {
            _ = try appendAll(to: &states)
        } catch {
            if let obstacle = error as? CaptureObstacle { addObstacle(obstacle) }
        }
    }

    /// Adds an object that holds a state, unless ``registerMembers(of:named:transient:)`` finds it as a member later, and gives
    /// it its stored state if the machine is restored.
    ///
    /// - Parameters:
    ///   - holder: The object.
    ///   - name: A name of the object: `multicast`.
    public func register<Holder: StateHolder & AnyObject>(holder: Holder, named name: String) {
        if isTransient(name) {
            _ = removeCreatedPart(of: ObjectIdentifier(holder), for: nil)
            return
        }
        let key = keys.next(name + TypeMark.of(Holder.self, [Holder.HeldState.self] + Holder.heldTypes))
        if removeCreatedPart(of: ObjectIdentifier(holder), for: key) { add(holder, key, named: name, isCreated: false) }
    }

    /// Adds an object that holds a state.
    func add<Holder: StateHolder & AnyObject>(_ holder: Holder, _ key: String, named name: String, isCreated: Bool) {
        do throws(CaptureObstacle) {
            add(try HolderPart(keys.make(key), holder, named: name, isCreated: isCreated), key)
        } catch {
            notes.found.append((error, ObjectIdentifier(holder)))
        }
    }

    /// Returns whether values of a type can be captured.
    public static func canCapture(_ type: any Any.Type) -> Bool { StateTypes.isCapturable(type) }

    /// Adds the members of a root, and gives them their stored states if the machine is restored.
    func add(_ layout: MemberLayout, of root: MembersPart.Root, named name: String) {
        if !layout.obstacles.isEmpty { notes.found += layout.obstacles.map { ($0, nil) } }
        if !layout.leftOut.isEmpty { notes.foundTransient.formUnion(layout.leftOut) }
        let part = MembersPart(name: keys.next(name), layout: layout, root: root, keys)
        keys.countRoot()
        // Before they became members, objects with a state of their own may have registered by themselves.
        let holders = part.holders()
        let isMember = { (part: CapturedPart) in part.holder.map(holders.contains) ?? false }
        // What a member was given belongs to another object, before which this build has created the member.
        for former in parts where isMember(former) { takeBack(from: former) }
        parts.removeAll(where: isMember)
        wiring?.found.removeAll { $0.holder.map(holders.contains) ?? false }
        guard !layout.members.isEmpty else { return }
        parts.append(part)
        guard isRestoring else { return }
        let damaged = part.restore(&notes.stored)
        notes.mismatches += damaged
        notes.damagedMembers += damaged
    }

    private func add(_ part: CapturedPart, _ key: String) {
        parts.append(part)
        if !endedKeys.isEmpty { endedKeys.remove(key) }
        guard let json = wiring?.stored.removeValue(forKey: key) else { return }
        do {
            try part.restore(json)
        } catch {
            // The graph of another build. The operator starts anew.
            notes.mismatches.append(key)
        }
    }

    /// Returns whether an operator is not captured, and records that its name exists.
    func isTransient(_ name: String) -> Bool {
        guard transient.contains(name) else { return false }
        notes.foundTransient.insert(name)
        hasTransientOperators = true
        return true
    }
}
