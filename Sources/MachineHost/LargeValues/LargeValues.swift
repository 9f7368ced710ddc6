/// What a session has of large values. Most sessions have none. Confined to the session's loop.
final class LargeValues {
    let ledger: LargeValueLedger
    /// The large values that the outputs show, by the index of the output.
    var shown: [Int: SharedBytes] = [:]
    /// The outputs as text, for as long as somebody reads it: all readers of one version share it.
    private var snapshots: [Snapshot] = []

    private struct Snapshot {
        let version: UInt64
        let outputs: Set<Int>?
        weak var text: SharedText?
    }

    init(host: SessionHost) {
        ledger = LargeValueLedger(host: host)
    }

    /// The text of the outputs that pass at that version, which the closure writes unless somebody reads it already.
    func snapshot(
        _ version: UInt64, _ filter: OutputFilter?, _ write: (inout SharedTextBuilder) -> Void
    ) -> SharedText {
        snapshots.removeAll { $0.text == nil }
        let known = snapshots.first { $0.version == version && $0.outputs == filter?.indices }
        if let text = known?.text { return text }
        var builder = SharedTextBuilder(ledger)
        write(&builder)
        let text = builder.text()
        snapshots.append(Snapshot(version: version, outputs: filter?.indices, text: text))
        return text
    }
}
