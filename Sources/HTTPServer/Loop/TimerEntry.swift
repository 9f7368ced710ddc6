/// Something that is to happen at a time. It knows its place in the wheel, so that it can be moved and taken out at once.
class TimerEntry {
    /// Its node in the wheel; -1 while it is in none.
    final var place: Int32 = -1

    /// Whether it stands in the wheel.
    final var isQueued: Bool { place >= 0 }

    /// Its time has come; it stands in the wheel no more.
    func timePassed(now: UInt64) {}
}
