import Foundation
import HTTPModel

/// The file with the status that `granary dev` writes for pages. Only servers that it has started serve it.
struct DevelopmentStatusFile: Equatable, Sendable {
    /// The variable with the path of the file.
    static let variable = "GRANARY_DEVELOPMENT_STATUS"
    /// The path at which pages read it.
    static let path = "/development.json"
    /// The path of the script that shows it.
    static let script = "/development.js"

    private let file: String

    /// Returns the file that the environment names, or `nil` if this is no server of `granary dev`.
    init?(environment: [String: String]) {
        guard let file = environment[DevelopmentStatusFile.variable], !file.isEmpty else { return nil }
        self.file = file
    }

    /// Returns the response to a request for the status. Reads a small file that was just written.
    func response(to request: HTTPRequest) -> HTTPResponse {
        guard request.method == .get || request.method == .head else {
            return ProblemDetails.methodNotAllowed(request.method, allow: "GET, HEAD").response
        }
        // Without a file, no command runs any more: pages show nothing.
        let content = FileManager.default.contents(atPath: file) ?? Data("{}".utf8)
        return HTTPResponse(
            status: .ok,
            fields: [
                .contentType: "application/json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ], body: .bytes(Array(content)))
    }
}

extension Page {
    /// Returns a program's page as a server of `granary dev` serves it.
    ///
    /// - Parameters:
    ///   - page: The page of the program; nil if it has none.
    ///   - environment: The environment of the process.
    static func developing(_ page: Page?, environment: [String: String]) -> Page? {
        guard let status = DevelopmentStatusFile(environment: environment) else { return page }
        var page = page ?? Page()
        page.developmentStatus = status
        return page
    }
}
