import HTTPModel

struct CombinedStreams {
    /// The streams that are being read, by number.
    private(set) var streams: [Int: CombinedStream] = [:]
    /// Their numbers by the second in which their deadlines are checked.
    var buckets = DeadlineBuckets<Int>()
    /// The buffer for what is read of a session's stream.
    var events = ReusableBuffer(keeping: 2 * SharedText.threshold)
    private var nextNumber = 0

    mutating func add(_ stream: CombinedStream) -> Int {
        nextNumber += 1
        streams[nextNumber] = stream
        return nextNumber
    }

    mutating func remove(_ number: Int) {
        streams[number] = nil
    }
}

// Their deadlines.
extension SessionShard {
    /// Schedules the next check of a stream's deadlines, if none is scheduled early enough.
    func scheduleCheck(of stream: CombinedStream) {
        startSweeping()
        combined.buckets.schedule(stream.number, deadline: stream.nextDeadline(times), next: &stream.nextCheck)
    }

    /// Performs what is due for combined streams.
    func checkCombined(_ now: Tick) {
        while let due = combined.buckets.takeDue(before: now) {
            for number in due {
                guard let stream = combined.streams[number], stream.nextCheck == combined.buckets.now else { continue }
                stream.performDue(now: now, times)
                stream.nextCheck = combined.buckets.insert(number, deadline: stream.nextDeadline(times))
            }
        }
    }
}
