/// One thing that is measured.
struct Row: Sendable {
    /// What the command line and the tables call it.
    let name: String
    /// How many operations one round of `run` is: a fan-out to a thousand subscribers counts each of them.
    let scale: Int
    /// Whether threads are in each other's way. The best run of such a row would be the one in which they were not.
    let isContended: Bool
    /// Sets up, does as many rounds as it is told, and gives back something that depends on all of them, so that
    /// none can be left out.
    let run: @Sendable (_ rounds: Int) -> Int

    init(_ name: String, scale: Int = 1, isContended: Bool = false, run: @escaping @Sendable (Int) -> Int) {
        self.name = name
        self.scale = scale
        self.isContended = isContended
        self.run = run
    }
}

/// A number that closures can add to without a check of exclusive access, which would be measured along.
struct Tally: @unchecked Sendable {
    // Sendable because rows are run one after the other: whoever reads the number has waited for who adds to it, and
    // two threads that add at once are serialised by the stream that they send into.
    private let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init() {
        place.initialize(to: 0)
    }

    @inline(__always)
    func add(_ value: Int) {
        place.pointee &+= value
    }

    /// The number; the place is given back.
    func finish() -> Int {
        defer { place.deallocate() }
        return place.pointee
    }
}
