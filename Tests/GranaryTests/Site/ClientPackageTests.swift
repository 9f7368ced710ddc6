import CPages
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Granary

/// What somebody who has only the address of a server gets of the JavaScript client.
struct ClientPackageTests {
    private static let site = Site()

    private func get(_ target: String, _ fields: HTTPFields = [:]) throws -> HTTPResponse {
        try #require(Self.site.response(to: HTTPRequest(method: .get, target: target, fields: fields)))
    }

    private func bytes(_ response: HTTPResponse) -> [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    private var sources: [PageFile] { PageFile.embedded(granary_client_files()) }

    @Test func `declarations are text, and name each other by their plain names`() throws {
        for file in sources where file.path.hasSuffix(".d.ts") {
            let answer = try get(file.path.replacing("src/", with: "/client/"))
            #expect(answer.fields.value(.contentType) == "text/plain; charset=utf-8")
            #expect(answer.fields.value(.cacheControl) == "no-cache")
            #expect(bytes(answer) == file.content, "\(file.path)")
        }
        #expect(String(decoding: bytes(try get("/client/react.d.ts")), as: UTF8.self).contains("\"./granary.js\""))
    }

    @Test func `the declarations of the client are one file, also beside the module for pages of this server`() throws {
        let text = String(decoding: bytes(try get("/granary.d.ts")), as: UTF8.self)
        #expect(text.contains("export function connect<") && !text.contains("import "))
    }

    @Test func `the package contains the sources, unchanged`() throws {
        for fields: HTTPFields in [[:], [.acceptEncoding: "br, gzip"]] {
            let answer = try get("/granary-client.tgz", fields)
            #expect(answer.fields.value(.contentType) == "application/gzip")
            #expect(!answer.fields.contains(.contentEncoding))
            let entries = try TarEntry.entries(of: ContentDecoder.decode(bytes(answer), .gzip))
            #expect(entries.map(\.path) == sources.map { "granary-client/\($0.path)" })
            #expect(entries.map(\.content) == sources.map(\.content))
        }
    }

    @Test func `the package has every file that its description names`() throws {
        let description = try #require(sources.first { $0.path == "package.json" })
        let names = String(decoding: description.content, as: UTF8.self).matches(of: /"\.\/(src\/[\w.-]+)"/)
        #expect(names.count >= 8)
        for name in names { #expect(sources.contains { $0.path == name.1 }, "\(name.1)") }
    }

    @Test func `a program's own files do not hide the types of the machines`() {
        let page = Page(files: ["/types.ts", "/types.d.ts", "/types.swift"].map { PageFile(path: $0, content: [65]) })
        #expect(throws: OperatorError.self) { try page.check() }
        for path in ["/types.d.ts", "/types.swift"] {
            let answer = Site(page: page).response(to: HTTPRequest(method: .get, target: path))
            #expect(answer == nil, "\(path)")
        }
    }
}
