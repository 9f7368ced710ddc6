/// One measured operation.
struct Row: Sendable {
    /// The name on the command line and in the tables.
    let name: String
    /// The number of operations in one round of `run`: a fan-out to a thousand subscribers counts each of them.
    let scale: Int
    /// Whether threads contend with each other. The best run of such a row would be one without contention.
    let isContended: Bool
    /// Sets up, runs the given number of rounds, and returns a value that depends on all of them, so that the compiler
    /// cannot eliminate any.
    let run: @Sendable (_ rounds: Int) -> Int

    init(_ name: String, scale: Int = 1, isContended: Bool = false, run: @escaping @Sendable (Int) -> Int) {
        self.name = name
        self.scale = scale
        self.isContended = isContended
        self.run = run
    }
}

/// A number that closures can add to without a check of exclusive access, which would distort the measurement.
struct Tally: @unchecked Sendable {
    // Sendable because rows run one after the other: the reader of the number has waited for the threads that add to
    // it, and the stream that two threads send into serializes their additions.
    private let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init() {
        place.initialize(to: 0)
    }

    @inline(__always)
    func add(_ value: Int) {
        place.pointee &+= value
    }

    /// Returns the number and deallocates its storage.
    func finish() -> Int {
        defer { place.deallocate() }
        return place.pointee
    }
}
