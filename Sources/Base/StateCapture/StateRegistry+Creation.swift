// Objects with a state that register themselves when they are created.
extension StateRegistry {
    /// Adds an object with a state that has just been created, unless ``registerMembers(of:named:transient:scope:)`` finds it as a
    /// member later, and gives it its stored state if the machine is restored.
    ///
    /// Costs less than ``register(holder:named:)`` for an object that becomes a member, as most do.
    ///
    /// - Parameters:
    ///   - holder: The object.
    ///   - name: A name of its kind: `currentValueSubject`.
    public func register<Holder: StateHolder & AnyObject>(created holder: Holder, named name: String) {
        if isTransient(name) { return }
        hasCreatedParts = true
        let key = keys.nextCreated(name, TypeMark.of(Holder.self, [Holder.HeldState.self] + Holder.heldTypes))
        // The factory may read the value immediately, and a source that it makes again may depend on it.
        if wiring?.stored[key] != nil { return add(holder, key, named: name, isCreated: true) }
        hasProvisionalParts = true
        parts.append(ProvisionalPart(key: keys.make(key), holder, named: name))
    }

    /// Makes the parts of the objects that have registered themselves and that have not become members.
    func settleParts() {
        guard hasProvisionalParts else { return }
        hasProvisionalParts = false
        // Each in its place, because a stream is released in one call if its parts are in order.
        parts = parts.compactMap { part -> CapturedPart? in
            do throws(CaptureObstacle) {
                let settled = try part.settled()
                if !endedKeys.isEmpty { endedKeys.remove(part.key.text) }
                return settled
            } catch {
                notes.found.append((error, part.holder))
                return nil
            }
        }
    }

    /// Takes back the stored state of an object that is captured otherwise.
    func takeBack(from part: CapturedPart) {
        if let json = part.giveBack() { notes.stored[part.key.text] = json }
    }

    /// Removes the part of an object that has registered itself, because an operator captures the object under another key.
    ///
    /// A part of another scope stays, because it may outlive the current one. The state of a session that was stored by an earlier
    /// build may be in the current one.
    ///
    /// - Parameter key: The other key; nil if the operator is transient.
    /// - Returns: Whether the object has no part any more.
    func removeCreatedPart(of object: ObjectIdentifier, for key: String?) -> Bool {
        guard hasCreatedParts, let index = parts.lastIndex(where: { $0.isCreated && $0.holder == object }) else {
            return true
        }
        guard keys.isInScope(parts[index].key.text) || key.flatMap({ wiring?.stored[$0] }) != nil else { return false }
        takeBack(from: parts.remove(at: index))
        return true
    }
}
