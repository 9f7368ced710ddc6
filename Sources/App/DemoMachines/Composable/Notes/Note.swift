import FoundationEssentials

struct Note: Codable, Equatable, Identifiable, Sendable {
    let id: UUID
    var title = ""
    var text = ""
}
