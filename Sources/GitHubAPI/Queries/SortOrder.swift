/// Which end of a sorted search comes first.
public enum SortOrder: String, CaseIterable, Codable, Sendable {
    /// The least, the oldest.
    case ascending = "asc"
    /// The greatest, the newest.
    case descending = "desc"
}
