/// An action at a given time. It stores the index of its node in the wheel, so that it can be moved and removed
/// directly.
class TimerEntry {
    /// The index of its node in the wheel, or -1 while it is not in one.
    final var place: Int32 = -1

    /// Whether it is in the wheel.
    final var isQueued: Bool { place >= 0 }

    /// Called at its time, after it was removed from the wheel.
    func timePassed(now: UInt64) {}
}
