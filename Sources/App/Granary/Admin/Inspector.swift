import HTTPModel
import HTTPServer

/// The inspector: the page at `/` of admin listeners, and its files. It contains nothing of the server, but asks the admin interface.
struct Inspector: Sendable {
    private let contents: SiteContents

    init() { contents = SiteContents { Inspector.contents } }

    /// Has the page compressed in the background.
    func prepare() { contents.prepare() }

    /// The paths, in alphabetical order.
    var paths: [String] { contents.all.keys.sorted() }

    /// Returns the response to a request for the page or one of its files; nil for other paths.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard request.path == "/" || request.targetStarts(with: "/inspector/") else { return nil }
        let contents = contents.all
        if let content = contents[String(request.path)] { return content.response(to: request) }
        // A page of the build before refers to files by other names.
        return FingerprintedNames.plainPath(of: request.path).flatMap { contents[$0] }?.response(to: request)
    }

    private static var contents: [String: StaticContent] {
        let names = FingerprintedNames(files)
        var contents: [String: StaticContent] = [:]
        for file in files {
            let content = Site.content(names.content(of: file.path) ?? file.content, file.contentType)
            contents[file.path] = content
            if let name = names.name(of: file.path) { contents[name] = content.kept(.immutable) }
        }
        contents["/"] = Site.content(names.naming(PackageResources.inspector_html), "text/html; charset=utf-8")
        return contents
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
            PageFile(path: "/inspector/form.js", content: PackageResources.form_js),
            PageFile(path: "/inspector/icon.svg", content: PackageResources.icon_svg),
            PageFile(path: "/inspector/inspect.js", content: PackageResources.inspect_js),
            PageFile(path: "/inspector/inspector.css", content: PackageResources.inspector_css),
            PageFile(path: "/inspector/moment.js", content: PackageResources.moment_js),
            PageFile(path: "/inspector/serverview.js", content: PackageResources.serverview_js),
            PageFile(path: "/inspector/text.js", content: PackageResources.text_js),
            PageFile(path: "/inspector/timeline.js", content: PackageResources.timeline_js),
            PageFile(path: "/inspector/virtual.js", content: PackageResources.virtual_js),
        ]
    }
}
