import HTTPModel
import HTTPServer

/// The inspector: the page at `/` of admin listeners, and its files. It contains nothing of the server, but asks the admin interface.
struct Inspector: Sendable {
    private let contents: SiteContents

    init() {
        contents = SiteContents {
            let page = PageFile(path: "/", contentType: Site.html, content: PackageResources.inspector_html)
            return SiteContents.contents(of: Inspector.files, [page])
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

    private static var files: [PageFile] {
        [
            PageFile(path: "/inspector/actions.js", content: PackageResources.actions_js),
            PageFile(path: "/inspector/app.js", content: PackageResources.app_js),
            PageFile(path: "/inspector/browse.js", content: PackageResources.browse_js),
            PageFile(path: "/inspector/client.js", content: PackageResources.client_js),
            PageFile(path: "/inspector/compare.js", content: PackageResources.compare_js),
            PageFile(path: "/inspector/dialog.js", content: PackageResources.dialog_js),
            PageFile(path: "/inspector/diff.js", content: PackageResources.diff_js),
            PageFile(path: "/inspector/dom.js", content: PackageResources.dom_js),
            PageFile(path: "/inspector/element.js", content: PackageResources.element_js),
            PageFile(path: "/inspector/form.js", content: PackageResources.form_js),
            PageFile(path: "/inspector/icon.svg", content: PackageResources.icon_svg),
            PageFile(path: "/inspector/inspect.js", content: PackageResources.inspect_js),
            PageFile(path: "/inspector/inspector.css", content: PackageResources.inspector_css),
            PageFile(path: "/inspector/moment.js", content: PackageResources.moment_js),
            PageFile(path: "/inspector/schema.js", content: PackageResources.schema_js),
            PageFile(path: "/inspector/serverview.js", content: PackageResources.serverview_js),
            PageFile(path: "/inspector/text.js", content: PackageResources.text_js),
            PageFile(path: "/inspector/timeline.js", content: PackageResources.timeline_js),
            PageFile(path: "/inspector/virtual.js", content: PackageResources.virtual_js),
        ]
    }
}
