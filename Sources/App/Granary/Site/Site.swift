import CPages
import HTTPModel
import HTTPServer
import MachineHost

/// The site: the page at `/`, its files, and a page for each kind of problem. It is created once at the start, and shared by
/// all loops. It is compressed and tagged while the server already responds to requests for sessions.
///
/// Browsers revalidate pages with each request. Pages refer to their files by fingerprinted names, so that browsers can
/// cache the files forever. The files are also available by their plain names.
struct Site: Sendable {
    private let contents: SiteContents
    private let developmentStatus: DevelopmentStatusFile?

    /// Creates the site.
    ///
    /// - Parameter page: The additions of a program to the page at `/`. A file with the path of one of the server's own
    ///   files is ignored; `Page.check()` reports it.
    /// - Parameter hasPage: Whether the site has the page at `/`.
    /// - Parameter hasDocs: Whether the site has the page at `/docs`.
    init(page: Page? = nil, hasPage: Bool = true, hasDocs: Bool = true) {
        developmentStatus = page?.developmentStatus
        contents = SiteContents { Self.contents(page, hasPage, hasDocs) }
    }

    /// Has the site compressed in the background, so that the first client of a page need not wait for it.
    func prepare() { contents.prepare() }

    private static func contents(_ page: Page?, _ hasPage: Bool, _ hasDocs: Bool) -> [String: StaticContent] {
        // Only pages of `granary dev` load its script.
        let own = Self.files.filter { $0.path != DevelopmentStatusFile.script || page?.developmentStatus != nil }
        let files = own + (page?.files ?? []).filter { !Self.isReserved($0.path) }
        return SiteContents.contents(
            of: files, Self.documents(page, hasPage, hasDocs),
            downloads: ClientPackage.declarations + [ClientPackage.archive])
    }

    /// The paths of the site, in alphabetical order.
    var paths: [String] { contents.paths }

    /// Returns the response to a request for a path of the site or for no path at all, or `nil` for other requests.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        if let response = GeneralResponses.response(to: request) { return response }
        // Most requests are for sessions. They must not pay for a dictionary lookup here.
        guard !request.targetStarts(with: "/v1/") else { return nil }
        // A health check must not wait until the site is compressed.
        guard !request.targetStarts(with: "/health/") else { return nil }
        if let developmentStatus, request.path == DevelopmentStatusFile.path {
            return developmentStatus.response(to: request)
        }
        return contents.response(to: request)
    }

    /// Returns a file with the fields that all files of the server have.
    static func content(_ bytes: [UInt8], _ contentType: HTTPFieldValue) -> StaticContent {
        StaticContent(
            bytes, contentType: contentType,
            fields: [
                .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .contentSecurityPolicy: policy,
                .crossOriginOpenerPolicy: "same-origin",
            ])
    }

    // Allows only files of this server, and neither inline scripts nor framing.
    private static let policy: HTTPFieldValue =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    static let html: HTTPFieldValue = "text/html; charset=utf-8"

    /// Returns whether a path belongs to the server itself.
    static func isReserved(_ path: String) -> Bool {
        path == "/" || ["/v1/", "/health/", "/problems/"].contains { path.hasPrefix($0) } || path == "/metrics"
            || path == "/docs" || DescriptionForm.allCases.contains { "\($0.path)" == path }
            || path == DevelopmentStatusFile.path || ownPaths.contains(path)
    }

    private static func documents(_ page: Page?, _ hasPage: Bool, _ hasDocs: Bool) -> [PageFile] {
        let own = page?.files.first { $0.path == "/" }.map { String(decoding: $0.content, as: UTF8.self) }
        let index = (page ?? Page()).document(in: own ?? String(cString: granary_index_html()), hasDocs: hasDocs)
        let docs = PageFile(path: "/docs", contentType: html, content: Array(String(cString: granary_docs_html()).utf8))
        return (hasPage ? [PageFile(path: "/", contentType: html, content: index)] : []) + (hasDocs ? [docs] : [])
            + ProblemExplanation.all.map { PageFile(path: $0.path, contentType: html, content: $0.html) }
    }

    private static let ownPaths = Set((files + ClientPackage.declarations).map(\.path) + [ClientPackage.archivePath])

    private static var files: [PageFile] { PageFile.embedded(granary_page_files()) + ClientPackage.modules }
}
