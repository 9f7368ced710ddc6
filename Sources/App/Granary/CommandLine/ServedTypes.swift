import Contract
import Foundation
import HTTPModel
import HTTPTransfer
import JSONText
import MachineHost

/// The types of machines that a running server describes.
struct ServedTypes {
    /// Many times the size of the types of large programs.
    private static let maxBytes = 16 << 20

    private let url: URL
    private let timeout: Duration

    /// - Parameters:
    ///   - machine: The machine; nil for all of them.
    ///   - address: The address of the server, which may have a path in front of those of the server.
    ///   - timeout: The time for the complete response.
    init(
        of machine: String?, in language: TypesLanguage, at address: String, timeout: Duration = .seconds(30)
    ) throws(OperatorError) {
        self.timeout = timeout
        guard let server = URL(string: address), ["http", "https"].contains(server.scheme?.lowercased()),
            server.host()?.isEmpty == false, server.query() == nil, server.fragment() == nil, server.user() == nil,
            let url = URL(
                string: (address.hasSuffix("/") ? String(address.dropLast()) : address)
                    + Self.path(of: machine, in: language))
        else {
            throw OperatorError(
                "types: expected the URL of a server, such as http://localhost:8080, got \"\(address)\"")
        }
        self.url = url
    }

    private static func path(of machine: String?, in language: TypesLanguage) -> String {
        let folder = machine.map { "/v1/machines/\(PercentEncoding.encode($0))" } ?? ""
        return "\(folder)\(DescriptionForm.types(language).path)"
    }

    /// Requests the types, and returns them without the line break at the end.
    func text() async throws(OperatorError) -> String {
        let request = TransferRequest(
            url, fields: [("Accept", "text/plain"), ("User-Agent", "granary")], totalTimeout: timeout,
            maxBytes: Self.maxBytes
        ) { [url] next in
            // A server often redirects from http to https. The other direction would give up what https promises.
            next.scheme?.lowercased() == "https" || url.scheme?.lowercased() == "http"
        }
        let client = TransferClient()
        let result = await withCheckedContinuation { continuation in
            _ = client.collect(request) { continuation.resume(returning: $0) }
        }
        withExtendedLifetime(client) {}
        switch result {
        case .success(let response) where response.head.status == 200:
            guard let text = Self.types(in: response.body) else { throw unexpected("something else with status 200") }
            return text
        case .success(let response): throw unexpected(reason(response))
        case .failure(.timedOut): throw unexpected("no complete response within \(timeout.text)")
        case .failure(let failure): throw unexpected(Self.visible(failure.description))
        }
    }

    private func unexpected(_ received: String) -> OperatorError {
        OperatorError("types: expected the types of machines from \(url.absoluteString), got: \(received)")
    }

    /// Returns what a server has written; nil if it is something else, or could do something to a terminal.
    private static func types(in body: [UInt8]) -> String? {
        guard let text = String(validating: body, as: UTF8.self), TypesLanguage.hasWritten(text),
            !text.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control && !"\n\t".unicodeScalars.contains($0)
            })
        else { return nil }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private func reason(_ response: TransferResponse) -> String {
        let status = response.head.status
        let members = JSONObjectText.members(of: String(decoding: response.body.prefix(16 << 10), as: UTF8.self)) ?? []
        let detail = members.first { $0.name == "detail" }.flatMap { String(json: Array($0.value.utf8)[...]) }
        let hint: String? =
            switch status {
            case 401: "it requires credentials: curl -H 'Authorization: Bearer TOKEN' \(url.absoluteString)"
            case 404: "it has no such machine, is of an earlier version or has http.docs=false"
            default: nil
            }
        return "status \(status)\(hint.map { " (\($0))" } ?? "")\(detail.map { ": \(Self.visible($0))" } ?? "")"
    }

    /// Returns a text of the peer for a terminal.
    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter { !$0.isHidden }.prefix(500)))
    }
}
