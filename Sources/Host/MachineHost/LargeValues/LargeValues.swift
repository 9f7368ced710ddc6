/// A session's large values. Most sessions have none. Confined to the session's loop.
final class LargeValues {
    let ledger: LargeValueLedger
    /// The current large values of the outputs, by output index.
    var shown: [Int: SharedBytes] = [:]
    /// The snapshots that are being read, so that all readers of a version share one text.
    private var snapshots: [Snapshot] = []

    private struct Snapshot {
        let version: UInt64
        let outputs: Set<Int>?
        weak var text: SharedText?
    }

    init(host: SessionHost) {
        ledger = LargeValueLedger(host: host)
    }

    /// Returns the text of the selected outputs at a version. `write` creates it unless a reader already has it.
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
