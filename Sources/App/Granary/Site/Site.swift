import HTTPModel
import HTTPServer

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
        return SiteContents.contents(of: files, Self.documents(page, hasPage, hasDocs))
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
            || path == "/docs" || path == "/openapi.json" || path == DevelopmentStatusFile.path
            || files.contains { $0.path == path }
    }

    private static func documents(_ page: Page?, _ hasPage: Bool, _ hasDocs: Bool) -> [PageFile] {
        let template = page?.files.first { $0.path == "/" }?.content ?? PackageResources.index_html
        let index = (page ?? Page()).document(in: template, hasDocs: hasDocs)
        let docs = PageFile(path: "/docs", contentType: html, content: PackageResources.docs_html)
        return (hasPage ? [PageFile(path: "/", contentType: html, content: index)] : []) + (hasDocs ? [docs] : [])
            + ProblemExplanation.all.map { PageFile(path: $0.path, contentType: html, content: $0.html) }
    }

    private static var files: [PageFile] {
        [
            PageFile(path: "/style.css", content: PackageResources.style_css),
            PageFile(path: "/icon.svg", content: PackageResources.icon_svg),
            PageFile(path: "/commands.js", content: PackageResources.commands_js),
            PageFile(path: "/console.js", content: PackageResources.console_js),
            PageFile(path: "/copy.js", content: PackageResources.copy_js),
            PageFile(path: DevelopmentStatusFile.script, content: PackageResources.development_js),
            PageFile(path: "/docs.js", content: PackageResources.docs_js),
            PageFile(path: "/element.js", content: PackageResources.element_js),
            PageFile(path: "/form.js", content: PackageResources.form_js),
            PageFile(path: "/link.js", content: PackageResources.link_js),
            PageFile(path: "/log.js", content: PackageResources.log_js),
            PageFile(path: "/machines.js", content: PackageResources.machines_js),
            PageFile(path: "/main.js", content: PackageResources.main_js),
            PageFile(path: "/note.js", content: PackageResources.note_js),
            PageFile(path: "/outputs.js", content: PackageResources.outputs_js),
            PageFile(path: "/schema.js", content: PackageResources.schema_js),
            PageFile(path: "/status.js", content: PackageResources.status_js),
            PageFile(path: "/granary.js", content: Array("export * from \"./client/granary.js\";\n".utf8)),
        ] + client
    }

    /// The JavaScript client. `react.js` is not here, because it needs a bundler.
    private static var client: [PageFile] {
        [
            PageFile(path: "/client/backoff.js", content: PackageResources.backoff_js),
            PageFile(path: "/client/connection.js", content: PackageResources.connection_js),
            PageFile(path: "/client/creation.js", content: PackageResources.creation_js),
            PageFile(path: "/client/emitter.js", content: PackageResources.emitter_js),
            PageFile(path: "/client/following.js", content: PackageResources.following_js),
            PageFile(path: "/client/granary.js", content: PackageResources.granary_js),
            PageFile(path: "/client/granary-machine.js", content: PackageResources.granary_machine_js),
            PageFile(path: "/client/hub.js", content: PackageResources.hub_js),
            PageFile(path: "/client/leader.js", content: PackageResources.leader_js),
            PageFile(path: "/client/machine.js", content: PackageResources.machine_js),
            PageFile(path: "/client/memory.js", content: PackageResources.memory_js),
            PageFile(path: "/client/outbox.js", content: PackageResources.outbox_js),
            PageFile(path: "/client/parser.js", content: PackageResources.parser_js),
            PageFile(path: "/client/presence.js", content: PackageResources.presence_js),
            PageFile(path: "/client/request.js", content: PackageResources.request_js),
            PageFile(path: "/client/situation.js", content: PackageResources.situation_js),
            PageFile(path: "/client/stream.js", content: PackageResources.stream_js),
            PageFile(path: "/client/ticket.js", content: PackageResources.ticket_js),
            PageFile(path: "/client/token.js", content: PackageResources.token_js),
            PageFile(path: "/client/values.js", content: PackageResources.values_js),
            PageFile(path: "/client/worker.js", content: PackageResources.worker_js),
        ]
    }
}
