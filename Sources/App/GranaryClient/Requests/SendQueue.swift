/// The inputs of a session that wait for each other: they are sent one after another, so that they run in their order even if
/// one of them must be repeated. A state machine without I/O; an input is a number here.
struct SendQueue: Sendable {
    /// The result of adding an input.
    enum Admission: Equatable {
        case start
        case wait
        case full
    }

    private let limit: Int
    private var active: Int?
    private var waiting: [Int] = []

    /// Creates a queue for a number of inputs, including the one in flight.
    init(limit: Int) { self.limit = limit }

    mutating func add(_ input: Int) -> Admission {
        guard waiting.count + (active == nil ? 0 : 1) < limit else { return .full }
        guard active != nil else {
            active = input
            return .start
        }
        waiting.append(input)
        return .wait
    }

    /// Removes the input in flight and returns the next one to start.
    mutating func finish(_ input: Int) -> Int? {
        guard active == input else { return nil }
        active = waiting.isEmpty ? nil : waiting.removeFirst()
        return active
    }

    /// Removes an input that has not been started. Returns false if it has.
    mutating func withdraw(_ input: Int) -> Bool {
        guard let place = waiting.firstIndex(of: input) else { return false }
        waiting.remove(at: place)
        return true
    }

    /// Removes and returns all inputs that have not been started.
    mutating func withdrawAll() -> [Int] {
        defer { waiting = [] }
        return waiting
    }
}
