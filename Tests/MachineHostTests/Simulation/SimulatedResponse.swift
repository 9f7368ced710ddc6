import HTTPModel

/// A response as a simulated client reads it.
struct SimulatedResponse {
    let status: Int
    let text: String
    let location: String
    let stream: (any HTTPBodyStream)?
    private let entityTag: String?

    init(_ response: HTTPResponse) {
        status = Int(response.status.code)
        location = response.fields.value(.location) ?? ""
        entityTag = response.fields.value(.eTag)
        text = String(decoding: response.body.bytes ?? [], as: UTF8.self)
        if case .stream(let body) = response.body { stream = body } else { stream = nil }
    }

    /// The version of the content.
    var version: UInt64? {
        if let entityTag { return entityTag.split(separator: ".").last.flatMap { UInt64($0.dropLast()) } }
        return rest(after: "\"version\":").flatMap { UInt64($0.prefix { $0.isNumber }) }
    }

    /// The changes of an input; nil if there are none.
    var change: String? {
        guard let changes = rest(after: "\"changes\":")?.dropLast(), changes != "{}", changes != "null" else {
            return nil
        }
        return String(changes)
    }

    /// The outputs of a session: the whole content, or a member of it.
    var outputs: String {
        guard let outputs = rest(after: "\"outputs\":") else { return text }
        // The times of the session follow.
        guard let end = outputs.utf8.end(ofFirst: ",\"created\":\"") else { return text }
        return String(outputs[..<end].dropLast(12))
    }

    private func rest(after part: StaticString) -> Substring? {
        text[...].utf8.end(ofFirst: part).map { text[$0...] }
    }
}

extension Substring.UTF8View {
    /// Returns the end of the first occurrence of a text.
    fileprivate func end(ofFirst part: StaticString) -> Index? {
        let count = part.utf8CodeUnitCount
        let text = UnsafeBufferPointer(start: part.utf8Start, count: count)
        var place = startIndex
        while let found = self[place...].firstIndex(of: text[0]) {
            if self[found...].starts(with: text) { return index(found, offsetBy: count) }
            place = index(after: found)
        }
        return nil
    }
}
