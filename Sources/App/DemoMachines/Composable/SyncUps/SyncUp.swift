import ComposableMacros
import FoundationEssentials

/// A meeting that a team holds again and again.
struct SyncUp: Codable, Equatable, Identifiable, Sendable {
    let id: UUID
    var title = ""
    /// The planned length of a meeting.
    var minutes = 5
    var theme = Theme.amber
    var attendees: IdentifiedArrayOf<Attendee> = []
    /// The meetings that were held, the latest first.
    var meetings: IdentifiedArrayOf<Meeting> = []

    /// For how long each attendee speaks.
    var secondsPerAttendee: Int { minutes * 60 / max(attendees.count, 1) }
}

/// A member of a team.
struct Attendee: Codable, Equatable, Identifiable, Sendable {
    let id: UUID
    var name = ""
}

/// A meeting that was held.
struct Meeting: Codable, Equatable, Identifiable, Sendable {
    let id: UUID
    let date: Date
    /// How long it took.
    let seconds: Int
}

/// The colour in which a sync-up is shown.
enum Theme: String, Codable, CaseIterable, Sendable {
    case amber
    case forest
    case indigo
    case rose
    case sky
}

extension SharedKey where Self == FileStorageKey<IdentifiedArrayOf<SyncUp>>.Default {
    /// The sync-ups of a user. In a hosted session, they belong to the session and are stored with it.
    // An absolute path: a relative one depends on the working directory, and so would the name under which a session stores them.
    static var syncUps: Self { Self[.fileStorage(URL(filePath: "/sync-ups.json")), default: []] }
}
