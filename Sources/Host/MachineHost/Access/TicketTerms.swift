import Access
import HTTPModel
import JSONText

/// The terms of a ticket that a request states: `{"allows":["read","write"],"expiresIn":"5m","uses":1,"renewsFor":"1h","label":"Ada"}`.
struct TicketTerms {
    private static let members = ["allows", "expiresIn", "uses", "renewsFor", "label"]
    private static let defaultLifetime = Duration.seconds(3600)
    private static let maxLifetime = Duration.seconds(30 * 86_400)

    let rights: TicketRights
    let lifetime: Duration
    let uses: UInt16?
    let renewsFor: Duration?
    let label: String

    /// Reads the body of a request.
    init(_ document: JSONValue?) throws(ProblemDetails) {
        guard let document, document.kind == .object else {
            throw TicketTerms.problem("", "expected an object, got \(document?.kind.name ?? "no body")")
        }
        if let unknown = InputMismatch(unknownMembersOf: document, known: TicketTerms.members) {
            throw .invalidValue(of: "The body", unknown)
        }
        guard let rights = try TicketTerms.rights(document) else {
            throw TicketTerms.problem("/allows", "expected an array of read, write and delete, got nothing")
        }
        self.rights = rights
        lifetime = try TicketTerms.duration("expiresIn", document) ?? TicketTerms.defaultLifetime
        renewsFor = try TicketTerms.duration("renewsFor", document)
        uses = try TicketTerms.uses(document)
        guard let value = document.member("label") else {
            label = ""
            return
        }
        guard let text = value.string else {
            throw TicketTerms.problem("/label", "expected a string, got \(value.kind.name)")
        }
        label = text
    }

    /// Returns the rights that the holder of a ticket requests; nil for all of them.
    static func requestedRights(_ document: JSONValue?) throws(ProblemDetails) -> TicketRights? {
        guard let document else { return nil }
        guard document.kind == .object else { throw problem("", "expected an object, got \(document.kind.name)") }
        if let unknown = InputMismatch(unknownMembersOf: document, known: ["allows"]) {
            throw .invalidValue(of: "The body", unknown)
        }
        return try rights(document)
    }

    private static func rights(_ document: JSONValue) throws(ProblemDetails) -> TicketRights? {
        guard let value = document.member("allows") else { return nil }
        let names = value.elements?.map(\.string)
        guard let names, let rights = TicketRights(names: names.map { $0 ?? "" }) else {
            throw problem("/allows", "expected an array with at least one of read, write and delete, got other JSON")
        }
        return rights
    }

    private static func uses(_ document: JSONValue) throws(ProblemDetails) -> UInt16? {
        guard let value = document.member("uses") else { return nil }
        // Also as 7.0 or 70e-1, like every integer.
        guard value.kind == .number, let number = Double(String(decoding: value.slice, as: UTF8.self)),
            let uses = UInt16(exactly: number), uses > 0
        else {
            throw problem("/uses", "expected a whole number from 1 to \(UInt16.max), got other JSON")
        }
        return uses
    }

    private static func duration(_ name: String, _ document: JSONValue) throws(ProblemDetails) -> Duration? {
        guard let value = document.member(name) else { return nil }
        guard let duration = value.string.flatMap({ duration($0) }), duration <= maxLifetime else {
            throw problem("/\(name)", "expected a duration like 30s, 5m, 2h or 7d, of at most 30d, got other JSON")
        }
        return duration
    }

    private static func duration(_ text: String) -> Duration? {
        let seconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ seconds[$0] }), let count = Int64(text.dropLast()), count > 0,
            count <= 1_000_000_000
        else { return nil }
        return .seconds(count * unit)
    }

    private static func problem(_ pointer: String, _ detail: String) -> ProblemDetails {
        let place = pointer.isEmpty ? "" : " at \(pointer)"
        return .invalidValue(
            "The body is not a request for a ticket\(place): \(detail).", [.init(pointer: pointer, detail: detail)])
    }
}
