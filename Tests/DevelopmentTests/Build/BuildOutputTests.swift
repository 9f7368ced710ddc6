import Foundation
import Testing

@testable import Development

struct BuildOutputTests {
    @Test func `the diagnostics of a build begin with its first error, without its progress`() {
        let output = """
            Building for debugging...
            [0/3] Write swift-version.txt
            /app/Sources/app/a.swift:1:1: warning: unused
            [2/5] Compiling app a.swift
            /app/Sources/app/b.swift:2:3: error: cannot find 'x' in scope
            2 |   x
              |   `- error: cannot find 'x' in scope
            [3/5] Emitting module app
            """
        #expect(
            SwiftBuild.diagnostics(in: output)
                == """
                /app/Sources/app/b.swift:2:3: error: cannot find 'x' in scope
                2 |   x
                  |   `- error: cannot find 'x' in scope
                """)
        #expect(SwiftBuild.diagnostics(in: "Killed\n[1/2] x\n[note] y") == "Killed\n[note] y")
    }

    @Test func `the only program of a package need not be named`() throws {
        let one = try PackageProducts(
            describedBy: Data(
                #"{"products":[{"name":"kit","type":{"library":["automatic"]}},{"name":"app","type":{"executable":null}}]}"#
                    .utf8))
        #expect(try one.executable(named: nil) == "app")
        #expect(try one.executable(named: "app") == "app")
        let error = #expect(throws: DevelopmentError.self) { try one.executable(named: "kit") }
        #expect(error?.description == "dev: expected a program of the package, which has app, got \"kit\"")
    }

    @Test func `one of several programs must be named`() throws {
        let two = try PackageProducts(
            describedBy: Data(
                #"{"products":[{"name":"a","type":{"executable":null}},{"name":"b","type":{"executable":null}}]}"#.utf8)
        )
        let error = #expect(throws: DevelopmentError.self) { try two.executable(named: nil) }
        #expect(error?.description == "dev: expected the name of a program of the package, which has a, b")
        let none = try PackageProducts(describedBy: Data(#"{"products":[]}"#.utf8))
        #expect(throws: DevelopmentError("dev: expected the name of a program of the package, which has none")) {
            try none.executable(named: nil)
        }
        #expect(throws: DevelopmentError.self) { try PackageProducts(describedBy: Data("error".utf8)) }
    }
}
