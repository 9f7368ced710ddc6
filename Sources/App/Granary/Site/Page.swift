/// The additions of a program to the page at `/`.
///
/// The page consists of the program's content, followed by the list of machines with a console for each. Scripts are
/// modules that can import the JavaScript client, `/granary.js`, and the modules of the console, such as `./status.js`.
///
/// A file with the path `/` replaces the page. It gets the scripts and style sheets in place of the line
/// `<!-- head of the program -->`, and the content in place of `<!-- content of the program -->`.
public struct Page: Sendable {
    /// HTML for the beginning of the page's `main` element. Inline scripts and styles in it have no effect, because the
    /// Content-Security-Policy forbids them.
    public var content: String
    /// The paths of modules that the page loads.
    public var scripts: [String]
    /// The paths of style sheets that the page loads after its own.
    public var styleSheets: [String]
    /// The files that are served, including those in ``scripts`` and ``styleSheets``.
    public var files: [PageFile]

    /// The status that `granary dev` shows; nil for a server that it has not started.
    var developmentStatus: DevelopmentStatusFile?

    /// Creates the additions.
    public init(
        content: String = "", scripts: [String] = [], styleSheets: [String] = [], files: [PageFile] = []
    ) {
        self.content = content
        self.scripts = scripts
        self.styleSheets = styleSheets
        self.files = files
    }

    /// Checks the paths of the files.
    func check() throws(OperatorError) {
        var paths: Set<String> = []
        for file in files {
            guard file.path.hasPrefix("/") else {
                throw OperatorError("page file \(file.path): expected a path that begins with \"/\"")
            }
            guard file.path == "/" || !Site.isReserved(file.path), paths.insert(file.path).inserted else {
                throw OperatorError("page file \(file.path): the path is already in use, choose another one")
            }
        }
        if let missing = (scripts + styleSheets).first(where: { !paths.contains($0) }) {
            throw OperatorError("page: \(missing) is loaded, but is not one of the page's files")
        }
    }

    /// Returns the template of the page with these additions.
    ///
    /// - Parameter hasDocs: Whether the page links to `/docs`.
    func document(in template: String, hasDocs: Bool = false) -> [UInt8] {
        let loaded = scripts + (developmentStatus == nil ? [] : [DevelopmentStatusFile.script])
        let head =
            styleSheets.map { "<link rel=\"stylesheet\" href=\"\($0)\">\n" }
            + loaded.map { "<script type=\"module\" src=\"\($0)\"></script>\n" }
        return Array(
            template
                .replacing("<!-- head of the program -->\n", with: head.joined())
                .replacing("<!-- content of the program -->\n", with: content)
                .replacing("<!-- link to the docs -->", with: hasDocs ? "<a href=\"/docs\">/docs</a> " : "")
                .utf8)
    }
}
