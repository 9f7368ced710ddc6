/// The members of an object, or of a value that lives in one.
final class MembersPart: CapturedPart {
    private let name: String
    private let layout: MemberLayout
    /// Calls a closure with the address of the root. The address is valid during the call only.
    private let withRoot: (_ body: (UnsafeMutableRawPointer) throws -> Void) throws -> Void
    private let copy: UnsafeMutableRawPointer
    /// Whether each member's copy holds a state.
    private var isInitialized: [Bool]
    private let keys: [String]

    init(
        name: String, layout: MemberLayout,
        withRoot: @escaping (_ body: (UnsafeMutableRawPointer) throws -> Void) throws -> Void
    ) {
        self.name = name
        self.layout = layout
        self.withRoot = withRoot
        copy = .allocate(byteCount: max(1, layout.copySize), alignment: 16)
        isInitialized = Array(repeating: false, count: layout.members.count)
        keys = layout.members.map { "\(name).\($0.path)" }
    }

    deinit {
        for (index, member) in layout.members.enumerated() where isInitialized[index] { member.deinitialize(copy) }
        copy.deallocate()
    }

    /// Puts the stored states back. Returns the keys of those that do not fit.
    func restore(_ stored: inout [String: ArraySlice<UInt8>]) throws -> [String] {
        var mismatches: [String] = []
        try withRoot { root in
            for (index, member) in layout.members.enumerated() {
                guard let json = stored.removeValue(forKey: keys[index]) else { continue }
                do {
                    try member.restore(json, to: root)
                    member.initializeCopy(root, copy)
                    isInitialized[index] = true
                } catch {
                    mismatches.append(keys[index])
                }
            }
        }
        return mismatches
    }

    override func appendChanges(to bytes: inout [UInt8], all: Bool) throws -> Int {
        var count = 0
        try withRoot { root in
            for (index, member) in layout.members.enumerated() {
                let hasChanged = try StateChanges.append(keys[index], to: &bytes) { json in
                    try member.appendIfChanged(root, copy, isInitialized: isInitialized[index], all: all, to: &json)
                }
                guard hasChanged else { continue }
                isInitialized[index] = true
                count += 1
            }
        }
        return count
    }
}
