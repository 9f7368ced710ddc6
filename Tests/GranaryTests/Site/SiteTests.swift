import CPages
import FoundationEssentials
import HTTPModel
import Testing

@testable import Granary

struct SiteTests {
    /// Shared, because the site compresses its files when it is created.
    private static let site = Site()
    private var site: Site { Self.site }

    private func get(_ target: String, _ fields: HTTPFields = [:]) -> HTTPResponse? {
        site.response(to: HTTPRequest(method: .get, target: target, fields: fields))
    }

    private func text(_ response: HTTPResponse?) -> String {
        guard case .bytes(let bytes) = response?.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the paths of the files that a file refers to.
    private func references(of path: String) -> [String] {
        let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
        let pattern = /(?:href="|src="|(?:from |await import\(|new URL\()"\.)(\/[\w.\/-]*)"/
        let paths = text(get(path)).matches(of: pattern).map { match in
            let isAbsolute = match.output.0.hasPrefix("href") || match.output.0.hasPrefix("src")
            return isAbsolute ? String(match.output.1) : "\(folder)\(match.output.1.dropFirst())"
        }
        return paths.filter { !$0.hasPrefix("/v1") }
    }

    @Test func `the page is HTML without inline scripts`() throws {
        let page = try #require(get("/"))
        #expect(page.status == .ok)
        #expect(page.fields.value(.contentType) == "text/html; charset=utf-8")
        #expect(page.fields.value(.xContentTypeOptions) == "nosniff")
        #expect(page.fields.value(.crossOriginOpenerPolicy) == "same-origin")
        let policy = try #require(page.fields.value(.contentSecurityPolicy))
        #expect(policy.contains("script-src 'self'") && !policy.contains("unsafe"))
        #expect(!text(page).contains("<script>") && !text(page).contains(" style=") && !text(page).contains(" onclick"))
    }

    @Test func `every file that the pages and scripts refer to exists`() throws {
        for path in site.paths {
            #expect(!text(get(path)).isEmpty)
            for target in references(of: path) { #expect(get(target) != nil, "\(path) names \(target)") }
        }
        #expect(references(of: "/client/following.js").count == 4)
    }

    @Test func `the page about the interface can be turned off, and is then not linked`() {
        #expect(get("/docs")?.status == .ok && text(get("/")).contains("href=\"/docs\""))
        let without = Site(hasDocs: false)
        func answer(_ target: String) -> HTTPResponse? {
            without.response(to: HTTPRequest(method: .get, target: target))
        }
        #expect(answer("/docs") == nil)
        #expect(!text(answer("/")).contains("/docs"))
        for path in ["/docs", "/openapi.json", "/types.d.ts", "/types.swift"] { #expect(Site.isReserved(path)) }
    }

    @Test func `a file that the client already has is not sent again`() throws {
        for path in site.paths {
            let tag = try #require(get(path)?.fields[.eTag])
            for header in [tag.string, "\"other\", W/\(tag.string)", "*"] {
                let again = get(path, [.ifNoneMatch: try #require(HTTPFieldValue(header))])
                #expect(again?.status == .notModified)
                #expect(again?.fields.value(.eTag) == tag.string)
                #expect(text(again).isEmpty)
            }
            #expect(get(path, [.ifNoneMatch: "\"other\""])?.status == .ok)
        }
    }

    @Test func `files with different content have different tags`() {
        let tags = Set(site.paths.compactMap { get($0)?.fields.value(.eTag) })
        #expect(tags.count == Set(site.paths.map { text(get($0)) }).count)
    }

    @Test func `pages are revalidated, and refer to files that are cached permanently`() throws {
        let immutable = site.paths.filter { get($0)?.fields.value(.cacheControl)?.contains("immutable") == true }
        #expect(immutable.count == 39)
        for path in site.paths where text(get(path)).contains("<html") {
            #expect(get(path)?.fields.value(.cacheControl) == "no-cache")
            let named = references(of: path)
            #expect(named.count >= 2)
            for target in named where target != "/docs" && target != "/" {
                #expect(immutable.contains(target), "\(target)")
            }
        }
        for path in immutable {
            for target in references(of: path) { #expect(immutable.contains(target), "\(path) names \(target)") }
        }
    }

    @Test func `every module of the client is served, with its declarations`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Clients/JavaScript/src")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            #expect(get("/client/\(file)")?.status == .ok, "\(file)")
        }
        #expect(text(get("/granary.js")).contains(/export \* from "\.\/client\/granary\.\w+\.js"/))
    }

    @Test func `each embedded file has the name and the text of a source`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let embedded = [
            ("Sources/App/Granary/Pages", granary_page_files()),
            ("Sources/App/Granary/Inspector", granary_inspector_files()),
        ]
        for (folder, files) in embedded {
            for file in PageFile.embedded(files) {
                let name = try #require(file.path.split(separator: "/").last)
                // The inspector has files of the page.
                let sources = [folder, "Sources/App/Granary/Pages"].map { root.appending(path: "\($0)/\(name)") }
                let text = sources.lazy.compactMap { try? Data(contentsOf: $0) }.first
                #expect(text.map(Array.init) == file.content, "\(file.path)")
            }
        }
        for file in PageFile.embedded(granary_client_files()) {
            let path = file.path == "LICENSE" ? file.path : "Clients/JavaScript/\(file.path)"
            #expect(Array(try Data(contentsOf: root.appending(path: path))) == file.content, "\(file.path)")
        }
    }

    @Test func `only the page of granary dev has its script`() {
        #expect(PageFile.embedded(granary_page_files()).contains { $0.path == DevelopmentStatusFile.script })
        #expect(get(DevelopmentStatusFile.script) == nil)
    }

    @Test func `files are also served under their plain names, which are revalidated`() {
        for name in ["/main.js", "/granary.js", "/client/granary.js", "/style.css", "/icon.svg"] {
            #expect(get(name)?.status == .ok && get(name)?.fields.value(.cacheControl) == "no-cache")
        }
    }

    @Test func `a page of another build receives the files of this build, without permanent caching`() {
        let answer = get("/main.0123456789abc.js")
        #expect(answer?.status == .ok && text(answer) == text(get("/main.js")))
        #expect(answer?.fields.value(.cacheControl) == "no-cache")
        for path in ["/main.a.b.js", "/none.0123.js", "/main.0123.css", "/..js", "/v1/main.0123.js", "/."] {
            #expect(get(path) == nil)
        }
    }

    @Test func `text is compressed for clients that accept it`() throws {
        for path in site.paths where text(get(path)).utf8.count > 1000 && path != ClientPackage.archivePath {
            for coding in ["br", "gzip"] {
                let accepted = try #require(HTTPFieldValue(coding))
                let coded = try #require(get(path, [.acceptEncoding: accepted]))
                #expect(coded.fields.value(.contentEncoding) == coding, "\(path)")
                guard case .bytes(let bytes) = coded.body else { continue }
                #expect(bytes.count < text(get(path)).utf8.count * 7 / 10, "\(path)")
            }
        }
    }

    @Test func `OPTIONS for the whole server is answered, and unknown methods are rejected`() {
        #expect(site.response(to: HTTPRequest(method: .options, target: "*"))?.status == .noContent)
        let unknown = HTTPRequest(method: HTTPMethod(rawValue: "BREW"), target: "/v1/sessions")
        #expect(site.response(to: unknown)?.status == .notImplemented)
    }

    @Test func `a program's files are served, and its content precedes the machine list`() throws {
        let page = Page(
            content: "<p>Hello</p>\n", scripts: ["/app.js"], styleSheets: ["/app.css"],
            files: [
                PageFile(path: "/app.js", content: Array("import { machines } from \"./main.js\";".utf8)),
                PageFile(path: "/app.css", content: Array("p { color: red }".utf8)),
                PageFile(path: "/main.js", content: Array("not this".utf8)),
            ])
        let site = Site(page: page)
        func text(_ target: String) -> String {
            self.text(site.response(to: HTTPRequest(method: .get, target: target, fields: [:])))
        }
        let html = text("/")
        let content = try #require(html.firstRange(of: "<main>\n<p>Hello</p>\n"))
        let machines = try #require(html.firstRange(of: "id=\"machines\""))
        #expect(content.upperBound <= machines.lowerBound)
        let script = try #require(html.firstMatch(of: /<script type="module" src="(\/app\.\w+\.js)">/))
        #expect(text(String(script.1)).contains(/from "\.\/main\.\w+\.js"/))
        #expect(html.contains(/<link rel="stylesheet" href="\/app\.\w+\.css">/))
        #expect(text("/main.js") == self.text(get("/main.js")))
        #expect(!self.text(get("/")).contains("of the program"))
    }

    @Test func `a program's file replaces the page`() {
        let page = Page(
            scripts: ["/app.js"],
            files: [
                PageFile(path: "/", content: Array("<!-- head of the program -->\n<link href=\"/style.css\">".utf8)),
                PageFile(path: "/app.js", content: Array("start()".utf8)),
            ])
        let answer = Site(page: page).response(to: HTTPRequest(method: .get, target: "/"))
        #expect(answer?.fields.value(.contentType) == "text/html; charset=utf-8")
        #expect(text(answer).contains(/<script type="module" src="\/app\.\w+\.js"><\/script>\n<link/))
        #expect(text(answer).contains(/<link href="\/style\.\w+\.css">/))
        #expect(throws: Never.self) { try page.check() }
    }

    @Test func `the page can be turned off, and the client and other pages remain`() {
        let without = Site(hasPage: false)
        func answer(_ target: String) -> HTTPResponse? {
            without.response(to: HTTPRequest(method: .get, target: target))
        }
        #expect(answer("/") == nil)
        for target in ["/docs", "/granary.js", "/style.css", "/problems/not-found"] {
            #expect(answer(target)?.status == .ok)
        }
    }

    @Test(arguments: [
        ("/a.js", "text/javascript; charset=utf-8"), ("/a.b.CSS", "text/css; charset=utf-8"),
        ("/a", "application/octet-stream"), ("/a.svg", "image/svg+xml"), ("/a.mjs", "text/javascript; charset=utf-8"),
        ("/a.jpg", "image/jpeg"), ("/a.jpeg", "image/jpeg"), ("/favicon.ico", "image/x-icon"),
        ("/a.d.ts", "text/plain; charset=utf-8"), ("/a.tgz", "application/gzip"), ("/a.wasm", "application/wasm"),
        ("/a.webmanifest", "application/manifest+json"),
    ])
    func `a file has the type of its extension`(path: String, type: String) {
        #expect(PageFile(path: path, content: []).contentType.string == type)
    }

    @Test func `a query does not hide a page`() {
        #expect(get("/?from=bookmark")?.status == .ok)
    }

    @Test(arguments: ["/v1/machines", "/index.html", "/../etc/passwd", "", "*", "/problems/", "/problems/nothing"])
    func `any other path is left to the next responder`(target: String) {
        #expect(get(target) == nil)
    }

    @Test func `a page accepts only GET, HEAD and OPTIONS`() throws {
        let answer = try #require(site.response(to: HTTPRequest(method: .post, target: "/")))
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.fields.value(.allow) == "GET, HEAD, OPTIONS")
        let options = try #require(site.response(to: HTTPRequest(method: .options, target: "/")))
        #expect(options.status == .noContent && options.fields.value(.allow) == "GET, HEAD, OPTIONS")
        #expect(site.response(to: HTTPRequest(method: .head, target: "/"))?.status == .ok)
    }

    @Test(arguments: ProblemExplanation.all.map(\.kind))
    func `a problem's type leads to its page`(kind: String) throws {
        let problem = ProblemDetails(status: .badRequest, kind: kind, title: "", detail: "")
        let type = try #require(String(decoding: problem.json, as: UTF8.self).split(separator: "\"").dropFirst(3).first)
        #expect(text(get(String(type))).contains("<h1>"))
    }

    @Test func `every kind of problem in the sources has a page`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        var kinds: Set<String> = []
        for file in files {
            let text = String(decoding: try Data(contentsOf: sources.appending(path: file)), as: UTF8.self)
            kinds.formUnion(text.matches(of: /kind: "([a-z-]+)"/).map { String($0.output.1) })
        }
        #expect(kinds.contains("method-not-allowed"))
        #expect(kinds.subtracting(ProblemExplanation.all.map(\.kind)) == [])
    }
}
