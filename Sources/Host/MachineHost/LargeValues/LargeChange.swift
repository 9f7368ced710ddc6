import JSONText

/// A change that is too large for the ring of the history: the text of its event, with large values stored separately.
final class LargeChange {
    /// A large value and its offset in the text.
    struct Part {
        let offset: Int
        let value: SharedBytes
    }

    /// The placeholder of a large value.
    // A JSON value, so that `JSONScanner` can find the members of the text for a filter.
    static let placeholder: StaticString = "0"

    /// The text of the event, with a ``placeholder`` for each part. The parts are in the order of the text.
    private let event: SharedBytes
    private let parts: [Part]
    private let data: Range<Int>
    private let ledger: LargeValueLedger
    /// The event as clients receive it.
    let text: SharedText
    /// The texts of filtered streams. Weak: a text lives as long as a stream reads it.
    private var filtered: [(outputs: Set<Int>, view: UInt32, text: WeakText)] = []

    private struct WeakText {
        weak var text: SharedText?
    }

    init(event bytes: [UInt8], data: Range<Int>, parts: [Part], ledger: LargeValueLedger) {
        assert(data.upperBound <= bytes.count, "expected data within \(bytes.count) bytes, got \(data)")
        assert(
            parts.last.map { data.contains($0.offset) } ?? true, "expected large values within the data at \(data)")
        let event = SharedBytes(bytes, ledger)
        self.event = event
        self.data = data
        self.parts = parts
        self.ledger = ledger
        var builder = SharedTextBuilder(ledger)
        LargeChange.append(0..<bytes.count, of: event, parts, to: &builder)
        text = builder.text()
    }

    /// The changed outputs as a JSON object.
    var changedOutputs: [UInt8] {
        var builder = SharedTextBuilder(ledger)
        appendData(to: &builder)
        return builder.text().bytes
    }

    /// Appends the changed outputs as a JSON object.
    func appendData(to builder: inout SharedTextBuilder) {
        LargeChange.append(data, of: event, parts, to: &builder)
    }

    /// Appends the changed outputs that pass a filter as a JSON object.
    ///
    /// - Parameter filter: The filter; nil for all outputs.
    func appendData(passing filter: OutputFilter?, to builder: inout SharedTextBuilder) {
        guard let filter else { return appendData(to: &builder) }
        if !appendMembers(passing: filter, to: &builder) { builder.append { $0.append("{") } }
        builder.append { $0.append("}") }
    }

    /// Returns the event with the selected outputs; nil if it contains none of them.
    ///
    /// - Parameter position: The position of the event on a stream with the filter.
    func text(passing filter: OutputFilter, at position: StreamPosition) -> SharedText? {
        filtered.removeAll { $0.text.text == nil }
        let known = filtered.first { $0.outputs == filter.indices && $0.view == filter.tag }
        if let text = known?.text.text { return text }
        var builder = SharedTextBuilder(ledger)
        let traceparent = ChangeEvent.traceparent(of: event.bytes)
        builder.append { ChangeEvent.change.appendHead(position, in: traceparent, to: &$0) }
        guard appendMembers(passing: filter, to: &builder) else { return nil }
        builder.append { text in
            text.append(UInt8(ascii: "}"))
            ChangeEvent.appendEnd(to: &text)
        }
        let text = builder.text()
        filtered.append((filter.indices, filter.tag, WeakText(text: text)))
        return text
    }

    /// Appends the members of the changed outputs that pass a filter, after a brace. Returns false and appends nothing if no
    /// member does.
    private func appendMembers(passing filter: OutputFilter, to builder: inout SharedTextBuilder) -> Bool {
        let bytes = event.bytes
        var passed = false
        var scanner = JSONScanner(bytes, at: data.lowerBound)
        try? scanner.members { key, value in
            guard let kept = filter.kept(key, value, of: bytes) else { return }
            builder.append { text in
                text.append(UInt8(ascii: passed ? "," : "{"))
                text.append(contentsOf: bytes[key])
                text.append(UInt8(ascii: ":"))
            }
            passed = true
            if let part = parts.first(where: { $0.offset == value.lowerBound }) {
                builder.append(part.value)
            } else {
                builder.append { $0.append(contentsOf: kept) }
            }
        }
        return passed
    }

    /// Appends a range of the event's text, with each placeholder replaced by its value.
    private static func append(
        _ range: Range<Int>, of event: SharedBytes, _ parts: [Part], to builder: inout SharedTextBuilder
    ) {
        var start = range.lowerBound
        for part in parts {
            assert(part.offset >= start, "expected a value from \(start) on, got one at \(part.offset)")
            builder.append(SharedText.Piece(source: event, range: start..<part.offset))
            builder.append(part.value)
            start = part.offset + placeholder.utf8CodeUnitCount
        }
        builder.append(SharedText.Piece(source: event, range: start..<range.upperBound))
    }
}
