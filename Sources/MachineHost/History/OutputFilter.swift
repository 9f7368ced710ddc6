/// The outputs that a client asked for with `?only=`.
struct OutputFilter {
    let indices: Set<Int>
    let names: Set<String>

    /// Appends the members of a change's data that pass, as the data of an event; false, and nothing appended, if none
    /// does. The data is a JSON object that the host wrote.
    func append(_ data: Range<Int>, of event: [UInt8], to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        bytes.append(UInt8(ascii: "{"))
        var scanner = JSONScanner(event, at: data.lowerBound)
        var passed = false
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

    /// The part of a change's member that passes; `nil` if none does.
    func kept(_ key: Range<Int>, _ value: Range<Int>, of event: [UInt8]) -> ArraySlice<UInt8>? {
        guard let name = JSONValue(bytes: event, range: key).string else { return nil }
        let member = JSONValue(bytes: event, range: value)
        return name == "$emitted" ? emissions(in: member)?[...] : (names.contains(name) ? member.slice : nil)
    }

    /// The emissions that pass, as a JSON array; nil if none does.
    private func emissions(in list: JSONValue) -> [UInt8]? {
        let passing = (list.elements ?? []).filter { names.contains($0.member("output")?.string ?? "") }
        guard !passing.isEmpty else { return nil }
        return [UInt8(ascii: "[")] + passing.map { Array($0.slice) }.joined(separator: [UInt8(ascii: ",")])
            + [UInt8(ascii: "]")]
    }
}
