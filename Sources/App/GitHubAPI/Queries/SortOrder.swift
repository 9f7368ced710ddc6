/// The sort order of a search.
public enum SortOrder: String, CaseIterable, Codable, Sendable {
    /// Smallest or oldest first.
    case ascending = "asc"
    /// Largest or newest first.
    case descending = "desc"
}
