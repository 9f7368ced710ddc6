/// A new package: a machine, a program that hosts it, a test, and what running it takes.
package struct PackageTemplate: Sendable {
    package struct File: Equatable, Sendable {
        package let path: String
        /// The text, which ends with a line break.
        package let text: String
    }

    let name: PackageName
    let style: PackageStyle
    let granary: GranarySource

    /// Creates a template.
    ///
    /// - Parameters:
    ///   - style: The way in which its machine is written.
    ///   - granary: Where it finds Granary.
    /// - Throws: An error if the folder or the repository of Granary has the name of the package, by which SwiftPM identifies
    ///   them, without regard to case.
    package init(name: PackageName, style: PackageStyle, granary: GranarySource) throws(PackageTemplateError) {
        guard granary.identity != name.text.lowercased() else {
            throw PackageTemplateError(
                "expected another name than that of the folder or repository of Granary, by which SwiftPM identifies "
                    + "packages, got \"\(name.text)\"")
        }
        (self.name, self.style, self.granary) = (name, style, granary)
    }

    /// The files, in the order in which a reader needs them.
    package var files: [File] {
        [
            File(path: "README.md", text: readme),
            File(path: "Package.swift", text: manifest),
            File(path: "Sources/\(name.model)/Counter.swift", text: style.counter),
            File(path: "Sources/\(name.server)/Machines.swift", text: machines),
            File(path: "Sources/\(name.server)/main.swift", text: program),
            File(path: "Tests/\(name.tests)/CounterTests.swift", text: test),
            File(path: "Dockerfile", text: dockerfile),
            File(path: ".dockerignore", text: ".build\n.git\n"),
            File(path: "Config/\(name.text).service", text: unit),
            File(path: ".github/workflows/test.yml", text: workflow),
            File(path: ".gitignore", text: ".build\n"),
        ]
    }
}

extension String {
    /// The lines of the text after the first one begin with a number of spaces.
    func indented(by count: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n" + String(repeating: " ", count: count))
    }
}
