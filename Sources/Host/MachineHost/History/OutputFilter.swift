import JSONText

/// The outputs that a client has selected with `?only=`, or those of its view.
// A class, because each stream holds one, which for most of them is nil or that of a view.
final class OutputFilter: Sendable {
    let indices: Set<Int>
    let names: Set<String>
    /// Identifies the view; 0 for all outputs.
    let tag: UInt32

    init(indices: Set<Int>, names: Set<String>, tag: UInt32) {
        self.indices = indices
        self.names = names
        self.tag = tag
    }

    /// Appends the selected members of a change, as the data of an event. Returns false and appends nothing if the
    /// change has none of them.
    ///
    /// - Parameter data: The range of a JSON object that the host wrote.
    func append(_ data: Range<Int>, of event: [UInt8], to bytes: inout [UInt8]) -> Bool {
        assert(data.upperBound <= event.count, "expected data within \(event.count) bytes, got \(data)")
        let start = bytes.count
        bytes.append(UInt8(ascii: "{"))
        var scanner = JSONScanner(event, at: data.lowerBound)
        var passed = false
        // Cannot throw: the host wrote this object.
        try? scanner.members { key, value in
            guard let kept = kept(key, value, of: event) else { return }
            if passed { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: event[key])
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: kept)
            passed = true
        }
        guard passed else {
            bytes.removeLast(bytes.count - start)
            return false
        }
        bytes.append(UInt8(ascii: "}"))
        return true
    }

    /// Returns the part of a change's member that passes the filter; nil if nothing does.
    func kept(_ key: Range<Int>, _ value: Range<Int>, of event: [UInt8]) -> ArraySlice<UInt8>? {
        guard let name = JSONValue(bytes: event, range: key).string else { return nil }
        let member = JSONValue(bytes: event, range: value)
        return name == "$emitted" ? emissions(in: member)?[...] : (names.contains(name) ? member.slice : nil)
    }

    /// Returns the emissions of selected outputs, as a JSON array; nil if no event passes.
    private func emissions(in list: JSONValue) -> [UInt8]? {
        let passing = (list.elements ?? []).filter { names.contains($0.member("output")?.string ?? "") }
        guard !passing.isEmpty else { return nil }
        return [UInt8(ascii: "[")] + passing.map { Array($0.slice) }.joined(separator: [UInt8(ascii: ",")])
            + [UInt8(ascii: "]")]
    }
}
