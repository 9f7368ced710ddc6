/// The members of an object, or of a value that lives in one.
final class MembersPart: CapturedPart {
    /// The owner of the members.
    enum Root {
        case object(AnyObject)
        /// Calls a closure with the address of the value, which is valid during the call only.
        case value((_ body: (UnsafeMutableRawPointer) throws -> Void) throws -> Void)
    }

    private let layout: MemberLayout
    private var root: Root
    private let copy: UnsafeMutableRawPointer
    /// What is known of each member's last state.
    private var states: [MemberState]

    /// The last state of a member.
    private struct MemberState {
        let key: String
        /// Whether the copy holds a state.
        var isInitialized = false
        /// The JSON of a member that is compared by text.
        var text: [UInt8]?
        /// The JSON that was restored, until the machine is wired.
        var restored: ArraySlice<UInt8>?
    }

    init(name: String, layout: MemberLayout, root: Root) {
        self.layout = layout
        self.root = root
        copy = .allocate(byteCount: max(1, layout.copySize), alignment: 16)
        states = layout.members.map { MemberState(key: "\(name).\($0.path)") }
        super.init(key: name)
    }

    deinit {
        for (index, member) in layout.members.enumerated() where states[index].isInitialized {
            member.deinitialize(copy)
        }
        copy.deallocate()
    }

    /// Puts the stored states back. Returns the keys of those that do not fit.
    func restore(_ stored: inout [String: ArraySlice<UInt8>]) -> [String] {
        for index in states.indices { states[index].restored = stored.removeValue(forKey: states[index].key) }
        var mismatches: [String] = []
        for index in states.indices where !restore(index) { mismatches.append(states[index].key) }
        return mismatches
    }

    /// Puts the stored state of a member back. Returns whether it fits.
    private func restore(_ index: Int) -> Bool {
        guard let json = states[index].restored else { return true }
        do {
            try withRoot { root in
                try layout.members[index].restore(json, to: root)
                _ = try update(index, root)
            }
            return true
        } catch {
            states[index].restored = nil
            return false
        }
    }

    /// The objects that hold the members' states, including those of members that are not captured.
    func holders() -> Set<ObjectIdentifier> {
        let holders = try? withRoot { root in
            Set((layout.members + layout.transientHolders).compactMap { $0.holder(root) })
        }
        return holders ?? []
    }

    override func restoreAgain() {
        for index in states.indices where states[index].restored != nil {
            // A value that cannot be encoded differs from the restored one, too.
            let hasChanged = (try? withRoot { try update(index, $0) }) ?? true
            if hasChanged { _ = restore(index) }
            states[index].restored = nil
        }
    }

    override func isUnused() -> Bool {
        guard case .object(var object) = root else { return false }
        // Emptied meanwhile, so that the local reference is the only one of this part.
        root = .value { _ in }
        let isUnused = isKnownUniquelyReferenced(&object)
        root = .object(object)
        return isUnused
    }

    override func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        var count = 0
        var failure: (any Error)?
        try withRoot { root in
            for index in states.indices where !hasSameBytes(index, root) {
                do {
                    let hasChanged = try StateChanges.appendIfChanged(states[index].key, to: &bytes) { json in
                        try update(index, root, &json)
                    }
                    if hasChanged { count += 1 }
                } catch {
                    failure = failure ?? error
                }
            }
        }
        if let failure { throw failure }
        return count
    }

    private func withRoot<Result>(_ body: (UnsafeMutableRawPointer) throws -> Result) throws -> Result {
        switch root {
        case .object(let object):
            return try withExtendedLifetime(object) { try body(Unmanaged.passUnretained(object).toOpaque()) }
        case .value(let access):
            var result: Result?
            try access { result = try body($0) }
            guard let result else { throw MissingRoot() }
            return result
        }
    }

    private func hasSameBytes(_ index: Int, _ root: UnsafeRawPointer) -> Bool {
        let member = layout.members[index]
        return member.comparesBytes && states[index].isInitialized && member.hasSameBytes(root, copy)
    }

    /// Appends the state of a member, and keeps it as the last one. Returns whether it has changed.
    private func update(_ index: Int, _ root: UnsafeRawPointer, _ json: inout [UInt8]) throws -> Bool {
        if hasSameBytes(index, root) { return false }
        let member = layout.members[index]
        let start = json.count
        try member.append(root, to: &json)
        if member.comparesBytes {
            member.keep(root, copy, isInitialized: states[index].isInitialized)
            states[index].isInitialized = true
            return true
        }
        if let text = states[index].text, text[...] == json[start...] { return false }
        states[index].text = Array(json[start...])
        return true
    }

    private func update(_ index: Int, _ root: UnsafeRawPointer) throws -> Bool {
        var json: [UInt8] = []
        return try update(index, root, &json)
    }
}

/// An access to the members of a value that did not call its closure, because the value no longer exists.
private struct MissingRoot: Error {}
