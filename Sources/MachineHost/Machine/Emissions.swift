/// The events that a machine sent in one turn, encoded, in order. Costs nothing while there are none.
struct Emissions {
    struct Entry {
        let output: Int
        let end: Int
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Adds an event whose value the closure writes; nothing is added if it throws.
    mutating func append(output: Int, _ write: (inout [UInt8]) throws -> Void) rethrows {
        let start = bytes.count
        do {
            try write(&bytes)
        } catch {
            bytes.removeLast(bytes.count - start)
            throw error
        }
        entries.append(Entry(output: output, end: bytes.count))
    }

    /// Calls the closure with each event's output and the range of its JSON.
    func forEach(_ body: (_ output: Int, _ json: Range<Int>) -> Void) {
        var start = 0
        for entry in entries {
            body(entry.output, start..<entry.end)
            start = entry.end
        }
    }

    /// Forgets them and gives back their memory: most sessions send an event now and then.
    mutating func removeAll() {
        guard !entries.isEmpty else { return }
        entries = []
        bytes = []
    }
}
