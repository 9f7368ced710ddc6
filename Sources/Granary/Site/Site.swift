import HTTPModel
import HTTPServer

/// What people see in a browser: the page at `/`, its parts, and a page about each kind of problem. Made once at the start,
/// compressed and tagged, and shared by all loops.
///
/// Pages are asked for anew each time. They name their parts by what is in them, so that these are kept for good; the parts'
/// plain names lead to them too.
struct Site: Sendable {
    private let contents: [String: StaticContent]

    /// The site of this build.
    init() {
        let names = FingerprintedNames(Self.parts)
        var contents: [String: StaticContent] = [:]
        for file in Self.parts {
            let content = Self.content(names.content(of: file.path) ?? file.content, file.contentType)
            contents[file.path] = content
            if let name = names.name(of: file.path) { contents[name] = content.kept(.immutable) }
        }
        for page in Self.pages { contents[page.path] = Self.content(names.naming(page.content), page.contentType) }
        self.contents = contents
    }

    /// The paths that the site answers, in order.
    var paths: [String] { contents.keys.sorted() }

    /// The answer to a request for a part of the site, and to one that is about no path at all; nil for any other.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        if let response = GeneralAnswers.response(to: request) { return response }
        // Most requests are for sessions, and must not cost a look-up here.
        guard !request.target.utf8.starts(with: "/v1/".utf8) else { return nil }
        if let content = contents[String(request.path)] { return content.response(to: request) }
        // A page of another build may have been answered by another server of a deploy that is under way. What is here is not
        // what it names, but most likely does; it is asked for anew each time.
        return FingerprintedNames.plainPath(of: request.path).flatMap { contents[$0] }?.response(to: request)
    }

    private static func content(_ bytes: [UInt8], _ contentType: HTTPFieldValue) -> StaticContent {
        StaticContent(
            bytes, contentType: contentType,
            fields: [
                .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer", .contentSecurityPolicy: policy,
            ])
    }

    /// Only what this server serves, nothing inline, in no one's frame.
    private static let policy: HTTPFieldValue =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static let html: HTTPFieldValue = "text/html; charset=utf-8"
    private static let script: HTTPFieldValue = "text/javascript; charset=utf-8"

    private static var pages: [SiteFile] {
        [SiteFile(path: "/", contentType: html, content: PackageResources.index_html)]
            + ProblemExplanation.all.map { SiteFile(path: $0.path, contentType: html, content: $0.html) }
    }

    private static var parts: [SiteFile] {
        [
            SiteFile(path: "/style.css", contentType: "text/css; charset=utf-8", content: PackageResources.style_css),
            SiteFile(path: "/icon.svg", contentType: "image/svg+xml", content: PackageResources.icon_svg),
            SiteFile(path: "/console.js", contentType: script, content: PackageResources.console_js),
            SiteFile(path: "/counter.js", contentType: script, content: PackageResources.counter_js),
            SiteFile(path: "/element.js", contentType: script, content: PackageResources.element_js),
            SiteFile(path: "/late.js", contentType: script, content: PackageResources.late_js),
            SiteFile(path: "/locks.js", contentType: script, content: PackageResources.locks_js),
            SiteFile(path: "/machines.js", contentType: script, content: PackageResources.machines_js),
            SiteFile(path: "/main.js", contentType: script, content: PackageResources.main_js),
            SiteFile(path: "/note.js", contentType: script, content: PackageResources.note_js),
            SiteFile(path: "/outputs.js", contentType: script, content: PackageResources.outputs_js),
            SiteFile(path: "/place.js", contentType: script, content: PackageResources.place_js),
            SiteFile(path: "/problem.js", contentType: script, content: PackageResources.problem_js),
            SiteFile(path: "/schema.js", contentType: script, content: PackageResources.schema_js),
            SiteFile(path: "/search.js", contentType: script, content: PackageResources.search_js),
            SiteFile(path: "/session.js", contentType: script, content: PackageResources.session_js),
            SiteFile(path: "/shape.js", contentType: script, content: PackageResources.shape_js),
            SiteFile(path: "/status.js", contentType: script, content: PackageResources.status_js),
        ]
    }
}
