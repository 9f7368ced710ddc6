import Foundation
import Testing

@testable import PackageTemplates

@Suite struct PackageNameTests {
    @Test(arguments: [
        ("todo", "Todo"), ("todo-list", "TodoList"), ("a1-2b", "A12b"), ("HTML-tools", "HTMLTools"), ("x", "X"),
    ])
    func `words become names of modules`(text: String, base: String) throws {
        let name = try PackageName(text)
        #expect(name.base == base)
        #expect([name.model, name.server, name.tests] == ["\(base)Model", "\(base)Server", "\(base)ServerTests"])
    }

    @Test(arguments: [
        "", "-", "1st", "-todo", "todo-", "a--b", "to do", "a/b", "..", "a.b", "tödo", "a\nb", "todo\"",
        String(repeating: "x", count: 65),
    ])
    func `other names are refused with what is expected`(text: String) {
        let error = #expect(throws: PackageTemplateError.self) { try PackageName(text) }
        #expect(error?.description.contains("expected a name of at most 64 letters, digits and single hyphens") == true)
    }

    @Test(arguments: [
        "granary", "Granary", "http", "HTTP", "h-t-t-p", "HT-TP", "Combine", "http-target", "crash-test",
    ])
    func `names of Granary's own packages and modules are refused`(text: String) {
        #expect(throws: PackageTemplateError.self) { try PackageName(text) }
    }

    private func manifest() throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Package.swift")
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test func `names of all products are reserved`() throws {
        let text = try manifest()
        let products = text.matches(of: /(?:\.library\(|product:)\s*"([\w-]+)"/).map { String($0.1).lowercased() }
        #expect(products.count > 20)
        #expect(Set(products).subtracting(PackageName.reserved).isEmpty)
    }

    @Test func `modules that a new package could have, too, are reserved`() throws {
        let text = try manifest()
        let modules = text.matches(of: /\.\w+\(\s*"(\w+(?:Model|Server))"/).map { String($0.1).lowercased() }
        #expect(Set(modules) == PackageName.reservedModules)
    }

    @Test func `an unknown style is refused with the list of styles`() throws {
        for style in PackageStyle.allCases { #expect(try PackageStyle(style.rawValue) == style) }
        let error = #expect(throws: PackageTemplateError.self) { try PackageStyle("redux") }
        #expect(
            error?.description == "--style: expected one of observable, ricemill, unio, composable, got \"redux\"")
    }

    @Test func `a path is absolute or leads out of the new package`() throws {
        #expect(try GranarySource("/opt/granary") == .path("/opt/granary"))
        #expect(try GranarySource("tools/granary") == .path("../tools/granary"))
        #expect(try GranarySource("ssh://git.example/granary") == .address("ssh://git.example/granary"))
        for text in ["", "a\"b", "a\\b", "a\nb"] {
            #expect(throws: PackageTemplateError.self) { try GranarySource(text) }
        }
    }
}
