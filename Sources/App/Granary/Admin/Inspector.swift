import CPages
import HTTPModel
import HTTPServer

/// The inspector: the page at `/` of admin listeners, and its files. It contains nothing of the server, but asks the admin interface.
struct Inspector: Sendable {
    private let contents: SiteContents

    init() {
        contents = SiteContents {
            let html = Array(String(cString: granary_inspector_html()).utf8)
            let page = PageFile(path: "/", contentType: Site.html, content: html)
            return SiteContents.contents(of: PageFile.embedded(granary_inspector_files()), [page])
        }
    }

    /// Has the page compressed in the background.
    func prepare() { contents.prepare() }

    /// The paths, in alphabetical order.
    var paths: [String] { contents.paths }

    /// Returns the response to a request for the page or one of its files; nil for other paths.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard request.path == "/" || request.targetStarts(with: "/inspector/") else { return nil }
        return contents.response(to: request)
    }
}
