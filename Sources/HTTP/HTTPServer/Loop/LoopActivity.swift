public import HTTPModel

/// The work that an event loop has done since its start. Read it on the loop.
public struct LoopActivity: Sendable, Equatable {
    /// The number of rounds that had something to do.
    public internal(set) var rounds: UInt64 = 0
    /// The time that they took, in nanoseconds.
    public internal(set) var busy: UInt64 = 0

    mutating func addRound(nanoseconds: UInt64) {
        rounds &+= 1
        busy &+= nanoseconds
    }
}

/// An event loop that measures its work.
public protocol MeasuredEventLoop: EventLoop {
    /// The work since the start of the loop. For use on the loop only.
    var measured: LoopActivity { get }
}
