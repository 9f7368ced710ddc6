import Testing

@testable import PackageTemplates

@Suite struct PackageTemplateTests {
    private func template(
        _ style: PackageStyle, _ name: String = "todo-list", _ granary: GranarySource = .sibling
    ) throws -> PackageTemplate {
        try PackageTemplate(name: PackageName(name), style: style, granary: granary)
    }

    private func text(of path: String, in template: PackageTemplate) throws -> String {
        try #require(template.files.first { $0.path == path }).text
    }

    private func imports(of path: String, in template: PackageTemplate) throws -> [String] {
        try text(of: path, in: template).split(separator: "\n").filter { $0.hasPrefix("import ") }
            .map { String($0.dropFirst(7)) }
    }

    @Test(arguments: PackageStyle.allCases)
    func `a package has a machine, a program, a test, and what running it takes`(style: PackageStyle) throws {
        let files = try template(style).files
        #expect(
            files.map(\.path) == [
                "README.md", "Package.swift", "Sources/TodoListModel/Counter.swift",
                "Sources/TodoListServer/Machines.swift", "Sources/TodoListServer/main.swift",
                "Tests/TodoListServerTests/CounterTests.swift", "Dockerfile", ".dockerignore",
                "Config/todo-list.service", ".github/workflows/test.yml", ".gitignore",
            ])
        #expect(
            try text(of: "Sources/TodoListServer/Machines.swift", in: template(style)).contains(".\(style.rawValue)("))
    }

    @Test(arguments: PackageStyle.allCases)
    func `files end with one line break and have no tabs and no spaces at the end of a line`(
        style: PackageStyle
    ) throws {
        for file in try template(style).files {
            #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"), "\(file.path)")
            #expect(!file.text.contains("\t") && !file.text.contains(" \n"), "\(file.path)")
            #expect(file.text.split(separator: "\n").allSatisfy { $0.count <= 140 }, "\(file.path)")
        }
    }

    @Test func `a target depends on the products that its source imports, and on no others`() throws {
        let expected: [PackageStyle: [String]] = [
            .observable: [], .ricemill: ["Combine", "Ricemill"], .unio: ["RxCore", "Unio"],
            .composable: ["ComposableMacros"],
        ]
        for (style, products) in expected {
            let imports = try imports(of: "Sources/TodoListModel/Counter.swift", in: template(style))
            #expect(imports.filter { $0 != "Observation" } == products)
            let manifest = try text(of: "Package.swift", in: template(style))
            let start = try #require(manifest.firstRange(of: "name: \"TodoListModel\"")).upperBound
            let end = try #require(manifest.firstRange(of: ".executableTarget")).lowerBound
            #expect(manifest[start..<end].components(between: "product(name: \"", and: "\"") == products)
        }
    }

    @Test func `the program depends on the adapter that it imports, and on no other`() throws {
        let expected: [PackageStyle: [String]] = [
            .observable: [], .ricemill: ["RicemillAdapter"], .unio: ["UnioAdapter"],
            .composable: ["ComposableAdapter"],
        ]
        for (style, adapters) in expected {
            let imports = try imports(of: "Sources/TodoListServer/Machines.swift", in: template(style))
            let manifest = try text(of: "Package.swift", in: template(style))
            let start = try #require(manifest.firstRange(of: ".executableTarget")).upperBound
            let end = try #require(manifest.firstRange(of: ".testTarget")).lowerBound
            let products = manifest[start..<end].components(between: "product(name: \"", and: "\"")
            #expect(imports.filter { $0.hasSuffix("Adapter") } == adapters)
            #expect(products.filter { $0.hasSuffix("Adapter") } == adapters)
            #expect(Set(imports).subtracting(["TodoListModel"]).isSubset(of: products))
        }
    }

    @Test func `a checkout is copied into the image to where the manifest expects it`() throws {
        for (path, place) in [
            ("../granary", "/build/granary"), ("/opt/granary", "/opt/granary"), ("../../a/./b", "/a/b"),
            ("../../../../x", "/x"),
        ] {
            let template = try template(.observable, "todo", .path(path))
            #expect(try text(of: "Dockerfile", in: template).contains("COPY --from=granary [\".\", \"\(place)\"]\n"))
            #expect(try text(of: "README.md", in: template).contains("--build-context 'granary=\(path)' "))
            #expect(
                try text(of: "Package.swift", in: template).contains(#".package(name: "granary", path: "\#(path)")"#))
        }
    }

    @Test func `the commands for Docker work with blanks in the path and capitals in the name`() throws {
        let template = try template(.observable, "MyApp", .path("/my tools/it's/granary"))
        let readme = try text(of: "README.md", in: template)
        #expect(
            readme.contains(#"docker build --build-context 'granary=/my tools/it'\''s/granary' --tag myapp ."#))
        #expect(readme.contains("--volume MyApp:/var/lib/server myapp\n"))
        let dockerfile = try text(of: "Dockerfile", in: template)
        #expect(dockerfile.contains(#"COPY --from=granary [".", "/my tools/it's/granary"]"#))
    }

    @Test func `a repository is fetched during the build, under the name at the end of its address`() throws {
        for (address, package) in [
            ("https://git.example/tools/granary.git", "granary"), ("git@git.example:granary-fork", "granary-fork"),
        ] {
            let template = try template(.unio, "todo", GranarySource(address))
            let manifest = try text(of: "Package.swift", in: template)
            #expect(manifest.contains(#".package(url: "\#(address)", branch: "main")"#))
            #expect(manifest.contains(#".product(name: "Granary", package: "\#(package)")"#))
            #expect(try !text(of: "Dockerfile", in: template).contains("--from=granary"))
            #expect(try !text(of: "README.md", in: template).contains("build-context"))
            #expect(try !text(of: ".github/workflows/test.yml", in: template).contains("GRANARY_REPOSITORY"))
        }
    }

    @Test(arguments: [
        GranarySource.path("/src/barn"), .path("../Barn/"), .address("https://example.org/x/Barn.git"),
        .address("git@example.org:x/barn"),
    ])
    func `a package and the folder or repository of Granary have different names`(granary: GranarySource) {
        #expect(throws: PackageTemplateError.self) { try template(.ricemill, "barn", granary) }
        #expect(throws: PackageTemplateError.self) { try template(.ricemill, "BARN", granary) }
        #expect(throws: Never.self) { try template(.ricemill, "barns", granary) }
    }
}

extension StringProtocol {
    /// The parts of the text between two delimiters.
    fileprivate func components(between start: String, and end: Character) -> [String] {
        var (parts, rest) = ([String](), self[...])
        while let found = rest.firstRange(of: start) {
            rest = rest[found.upperBound...]
            parts.append(String(rest.prefix { $0 != end }))
        }
        return parts
    }
}
