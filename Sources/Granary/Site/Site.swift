import HTTPModel

/// What people see in a browser: the page at `/`, its parts, and a page about each kind of problem.
struct Site: Sendable {
    private let files: [String: SiteFile]

    /// The site of this build.
    init() {
        let pages = ProblemExplanation.all.map {
            SiteFile(path: $0.path, contentType: "text/html; charset=utf-8", content: $0.html)
        }
        files = Dictionary(uniqueKeysWithValues: (Self.embedded + pages).map { ($0.path, $0) })
    }

    /// The paths that the site answers, in order.
    var paths: [String] { files.keys.sorted() }

    /// The answer to a request for a part of the site; nil for any other path.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        // Most requests are for sessions, and must not cost a look-up here.
        guard !request.target.utf8.starts(with: "/v1/".utf8), let file = files[String(request.path)] else { return nil }
        guard request.method == .get || request.method == .head else {
            return ProblemDetails(
                status: .methodNotAllowed, kind: "method-not-allowed", title: "The target takes other methods",
                detail: "\(file.path) takes GET and HEAD.", fields: [.allow: "GET, HEAD"]
            ).response
        }
        return file.response(to: request)
    }

    private static let script: HTTPFieldValue = "text/javascript; charset=utf-8"

    private static var embedded: [SiteFile] {
        [
            SiteFile(path: "/", contentType: "text/html; charset=utf-8", content: PackageResources.index_html),
            SiteFile(path: "/style.css", contentType: "text/css; charset=utf-8", content: PackageResources.style_css),
            SiteFile(path: "/icon.svg", contentType: "image/svg+xml", content: PackageResources.icon_svg),
            SiteFile(path: "/console.js", contentType: script, content: PackageResources.console_js),
            SiteFile(path: "/counter.js", contentType: script, content: PackageResources.counter_js),
            SiteFile(path: "/element.js", contentType: script, content: PackageResources.element_js),
            SiteFile(path: "/machines.js", contentType: script, content: PackageResources.machines_js),
            SiteFile(path: "/main.js", contentType: script, content: PackageResources.main_js),
            SiteFile(path: "/schema.js", contentType: script, content: PackageResources.schema_js),
            SiteFile(path: "/search.js", contentType: script, content: PackageResources.search_js),
            SiteFile(path: "/session.js", contentType: script, content: PackageResources.session_js),
            SiteFile(path: "/situation.js", contentType: script, content: PackageResources.situation_js),
        ]
    }
}
