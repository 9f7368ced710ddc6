import HTTPModel
import JSONText

extension SessionEffects {
    /// Appends the effects and timers in progress as the last member of a session's JSON. Appends nothing if there are
    /// none.
    func appendProgress(to json: inout [UInt8]) {
        assertOnLoop()
        var isFirst = true
        let lead = (session?.clock.shownLead ?? 0) * 1_000_000
        for effect in inProgress {
            json.append(isFirst ? ",\"inProgress\":[" : ",")
            isFirst = false
            if let due = effect.due {
                let time = due.wholeNanoseconds.addingClamped(clockOffset).addingClamped(lead)
                append("timer", effect.name, "due", time, to: &json)
            } else {
                let time = effect.startedAt.millisecondsInNanoseconds.addingClamped(lead)
                append("effect", effect.name, "since", time, to: &json)
            }
        }
        for effect in dormant {
            guard case .time(let due) = effect.work else { continue }
            json.append(isFirst ? ",\"inProgress\":[" : ",")
            isFirst = false
            append("timer", effect.name, "due", due.addingClamped(lead), to: &json)
        }
        if !isFirst { json.append("]") }
    }

    private func append(_ kind: String, _ name: String, _ time: String, _ nanoseconds: Int64, to json: inout [UInt8]) {
        json.append("{")
        JSONWriter.append(kind, to: &json)
        json.append(":")
        JSONWriter.append(name, to: &json)
        json.append(",")
        JSONWriter.append(time, to: &json)
        json.append(":\"")
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        WallTime(seconds: seconds, nanoseconds: Int32(truncatingIfNeeded: rest)).append(to: &json)
        json.append("\"}")
    }
}
