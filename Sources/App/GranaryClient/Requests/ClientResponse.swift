import Foundation
import JSONText

struct ClientResponse: Equatable, Sendable {
    let status: Int
    /// The header fields, with names in lower case.
    let fields: [String: String]
    let body: [UInt8]

    /// The object in the body; nil if the body is not a complete JSON object.
    var object: JSONValue? {
        guard let range = try? JSONScanner.document(body, nestingLimit: 512) else { return nil }
        let value = JSONValue(bytes: body, range: range)
        return value.kind == .object ? value : nil
    }

    /// The pause that the server asks for (RFC 9110 §10.2.3); zero if the field is invalid.
    ///
    /// Proxies also send a date. It is compared with the one of the response, because the client's clock may differ.
    var retryAfter: Duration {
        let text = (fields["retry-after"] ?? "").trimmingCharacters(in: .whitespaces)
        if text.isEmpty { return .zero }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return .seconds(Int64(UInt32(text) ?? .max)) }
        guard let end = Self.date(text), let sent = date else { return .zero }
        return .seconds(max(end.timeIntervalSince(sent), 0))
    }

    /// When the server has sent the response, by its clock; nil if it has not said so.
    var date: Date? { fields["date"].flatMap(Self.date) }

    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)
    }

    /// The error that the response reports.
    var problem: ServerProblem {
        let object = object
        let type = object?.member("type")?.string ?? ""
        let isOurs = type.hasPrefix("/problems/")
        return ServerProblem(
            status: status, kind: isOurs ? String(type.dropFirst("/problems/".count)) : "",
            detail: object?.member("detail")?.string ?? "",
            incident: object?.member("incident")?.string, reason: object?.member("reason")?.string)
    }
}
