/// The relation between a journal's times and the clocks of the system, from which the next process continues its ``StoredClock``.
///
/// In the same run of the system, the times continue with its uptime. In another run, only the wall clock tells how long nothing ran,
/// and it may be wrong. So the times then continue at the wall time, but never before the time that they had reached: a timer then
/// waits for its remaining span at most.
struct ClockAnchor: Equatable {
    /// The run of the system; nil if it is not known.
    var boot: String?
    /// The stored time at which the uptime of that run was zero, in nanoseconds.
    var offset: Int64
    /// By how much the wall clock is ahead of the stored times, in milliseconds.
    var wallLead: Int64
    /// A time that the journal had reached, in milliseconds: at most ``interval`` before its last one.
    var reached: Int64

    /// The name of the journal's property.
    static let property = "clock"
    /// The least time between two notes of ``reached``, in milliseconds.
    // In each batch, it would cost a page of the disk for each of them.
    static let interval: Int64 = 1000

    /// Returns the anchor of a process that opens a journal.
    ///
    /// - Parameters:
    ///   - stored: The anchor in the journal; nil if it has none, because it is new or was written by an older build. The wall times of
    ///     that build become stored times.
    ///   - boot: The run of the system; nil if it is not known.
    ///   - uptime: The uptime of the system, in nanoseconds.
    ///   - wallTime: The wall time, in nanoseconds of Unix time.
    static func following(_ stored: ClockAnchor?, boot: String?, uptime: Int64, wallTime: Int64) -> ClockAnchor {
        guard let stored else {
            return ClockAnchor(
                boot: boot, offset: wallTime &- uptime, wallLead: 0, reached: wallTime / 1_000_000)
        }
        let least = stored.reached &* 1_000_000
        // The uptime of a copy of the system, or of a container, may be behind.
        if boot != nil, boot == stored.boot, uptime &+ stored.offset >= least { return stored }
        // Late rather than early, because a timer must not wait longer than its span.
        let now = max(wallTime &- stored.wallLead &* 1_000_000, least &+ interval &* 1_000_000)
        return ClockAnchor(
            boot: boot, offset: now &- uptime, wallLead: (wallTime &- now) / 1_000_000, reached: now / 1_000_000)
    }

    /// Returns whether a batch that is stored now must contain the anchor again.
    ///
    /// - Parameters:
    ///   - now: The stored time, in milliseconds.
    ///   - lead: The lead of the wall clock, in milliseconds.
    func isOutdated(at now: Int64, lead: Int64) -> Bool { lead != wallLead || now &- reached >= ClockAnchor.interval }
}

// The form in the journal.
extension ClockAnchor {
    /// Reads the anchor of a journal; nil if it has none.
    init?(storedIn journal: any Journal) throws {
        guard let property = try journal.property(ClockAnchor.property) else { return nil }
        var reader = RecordReader(property[...])
        guard let boot = try? reader.text(), let offset = try? reader.signedNumber(),
            let lead = try? reader.signedNumber(), let reached = try? reader.signedNumber(), reader.isAtEnd
        else {
            throw JournalError(
                .damaged, "expected the clock of the journal in one of its properties, got \(property.count) bytes")
        }
        self.init(boot: boot.isEmpty ? nil : boot, offset: offset, wallLead: lead, reached: reached)
    }

    var content: [UInt8] {
        var writer = RecordWriter()
        writer.append((boot ?? "").utf8)
        writer.append(signed: offset)
        writer.append(signed: wallLead)
        writer.append(signed: reached)
        return writer.take()
    }
}
