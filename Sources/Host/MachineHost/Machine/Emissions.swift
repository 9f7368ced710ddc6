/// The encoded events that a machine emitted in one turn, in order. Allocates nothing while empty.
struct Emissions {
    struct Entry {
        let output: Int
        let end: Int
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Appends an event with the value that a closure writes. Nothing is appended if the closure throws.
    mutating func append(output: Int, _ write: (inout [UInt8]) throws -> Void) rethrows {
        let start = bytes.count
        do {
            try write(&bytes)
        } catch {
            bytes.removeLast(bytes.count - start)
            throw error
        }
        assert(bytes.count >= start, "expected an event to be appended, got \(start - bytes.count) bytes less")
        entries.append(Entry(output: output, end: bytes.count))
    }

    /// Calls a closure with the output and the JSON range of each event.
    func forEach(_ body: (_ output: Int, _ json: Range<Int>) -> Void) {
        assert(
            entries.last?.end ?? 0 == bytes.count, "expected the last event to end with \(bytes.count) bytes")
        var start = 0
        for entry in entries {
            body(entry.output, start..<entry.end)
            start = entry.end
        }
    }

    /// Removes the events and releases their memory: most sessions emit events rarely.
    mutating func removeAll() {
        guard !entries.isEmpty else { return }
        entries = []
        bytes = []
    }
}
