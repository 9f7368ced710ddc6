/// Finds the known name that is most similar to an unknown one.
package enum Nearest {
    /// Returns the candidate with the smallest edit distance; nil if none is close.
    package static func name(for name: String, among candidates: some Sequence<String>) -> String? {
        let scored = candidates.map { (name: $0, distance: distance(name.lowercased(), $0.lowercased())) }
        guard let best = scored.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }),
            best.distance <= max(2, name.count / 4), best.distance < max(name.count, best.name.count)
        else { return nil }
        return best.name
    }

    /// Returns ", did you mean …?" with the nearest candidate; an empty string if none is close.
    package static func hint(for name: String, among candidates: some Sequence<String>) -> String {
        self.name(for: name, among: candidates).map { ", did you mean \($0)?" } ?? ""
    }

    /// Returns the number of insertions, removals and replacements that turn one text into the other (Levenshtein
    /// distance).
    package static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
