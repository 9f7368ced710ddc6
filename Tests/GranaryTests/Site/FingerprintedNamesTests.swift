import HTTPModel
import HTTPServer
import Testing

@testable import Granary

struct FingerprintedNamesTests {
    private func file(_ path: String, _ content: String) -> PageFile {
        PageFile(path: path, contentType: "text/javascript", content: Array(content.utf8))
    }

    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    @Test func `a name depends on the content of the file`() throws {
        let name = try #require(FingerprintedNames([file("/a.js", "one")]).name(of: "/a.js"))
        #expect(name == "/a.\(StaticContent.fingerprint(of: Array("one".utf8))).js")
        #expect(FingerprintedNames([file("/a.js", "two")]).name(of: "/a.js") != name)
        #expect(FingerprintedNames([file("/plain", "x")]).name(of: "/plain")?.hasPrefix("/plain.") == true)
    }

    @Test func `files refer to each other by these names, regardless of their order`() throws {
        let parts = [
            file("/main.js", "import { b } from \"./b.js\";\nimport { c } from \"./c.js\";\nload(\"/c.js\")"),
            file("/b.js", "import { c } from \"./c.js\""), file("/c.js", "export const c = 1"),
        ]
        for files in [parts, parts.reversed()] {
            let names = FingerprintedNames(files)
            let (b, c) = (try #require(names.name(of: "/b.js")), try #require(names.name(of: "/c.js")))
            #expect(text(names.content(of: "/b.js")) == "import { c } from \".\(c)\"")
            let main = "import { b } from \".\(b)\";\nimport { c } from \".\(c)\";\nload(\"\(c)\")"
            #expect(text(names.content(of: "/main.js")) == main)
        }
    }

    @Test func `files of a folder refer to each other by their paths in it`() throws {
        let names = FingerprintedNames([
            file("/main.js", "from \"./client/a.js\""), file("/b.js", "other"), file("/client/b.js", "b"),
            file("/client/a.js", "from \"./b.js\"; await import(\"./b.js\"); new URL(\"./b.js\", import.meta.url)"),
        ])
        let (a, b) = (try #require(names.name(of: "/client/a.js")), try #require(names.name(of: "/client/b.js")))
        #expect(text(names.content(of: "/main.js")) == "from \".\(a)\"")
        let relative = "./\(b.dropFirst("/client/".count))"
        let expected = "from \"\(relative)\"; await import(\"\(relative)\"); new URL(\"\(relative)\", import.meta.url)"
        #expect(text(names.content(of: "/client/a.js")) == expected)
    }

    @Test func `a change in a dependency changes the names of all dependents`() {
        func names(_ leaf: String) -> FingerprintedNames {
            FingerprintedNames([
                file("/top.js", "from \"./middle.js\""), file("/middle.js", "from \"./leaf.js\""),
                file("/leaf.js", leaf), file("/aside.js", "x"),
            ])
        }
        for path in ["/top.js", "/middle.js", "/leaf.js"] {
            #expect(names("one").name(of: path) != names("two").name(of: path))
        }
        #expect(names("one").name(of: "/aside.js") == names("two").name(of: "/aside.js"))
    }

    @Test func `pages use these names, and other text stays unchanged`() throws {
        let names = FingerprintedNames([file("/a.js", "one")])
        let name = try #require(names.name(of: "/a.js"))
        // The last one is how comments name types.
        let page =
            "<script src=\"/a.js\"></script><a href=\"/\"></a> \"/b.js\" /a.js \" /a.js\" './a.js' import(\"./a.js\")"
        let expected = page.replacing("src=\"/a.js\"", with: "src=\"\(name)\"")
        #expect(text(names.naming(Array(page.utf8))) == expected)
    }

    @Test func `files that refer to each other in a cycle have one name each, which is the plain one`() throws {
        let names = FingerprintedNames([
            file("/main.js", "from \"./a.js\""), file("/a.js", "await import(\"./b.js\")"),
            file("/b.js", "from \"./a.js\" from \"./c.js\""), file("/c.js", "leaf"),
        ])
        for path in ["/a.js", "/b.js"] { #expect(names.name(of: path) == nil) }
        #expect(text(names.content(of: "/main.js")) == "from \"./a.js\"")
        #expect(text(names.content(of: "/a.js")) == "await import(\"./b.js\")")
        let c = try #require(names.name(of: "/c.js"))
        #expect(text(names.content(of: "/b.js")) == "from \"./a.js\" from \".\(c)\"")
        #expect(text(names.naming(Array("\"/a.js\"".utf8))) == "\"/a.js\"" && names.name(of: "/main.js") != nil)
        #expect(names.name(of: "/none.js") == nil && names.content(of: "/none.js") == nil)
    }
}
