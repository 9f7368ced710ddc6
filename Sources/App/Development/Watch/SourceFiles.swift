/// Which files of a package are sources of its programs.
enum SourceFiles {
    /// The folders and files that are watched, relative to the package.
    static let roots = ["Sources", "Package.swift", "Package.resolved"]

    /// Whether a change of a file can change the program. Editors also write files of their own: `.main.swift.swp`, `main.swift~`,
    /// `#main.swift#`, and `4913`, with which Vim finds out whether it may write.
    static func isSource(_ name: String) -> Bool {
        !(name.isEmpty || name.hasPrefix(".") || name.hasPrefix("#") || name.hasSuffix("~") || name.hasSuffix(".tmp")
            || name == "4913")
    }
}
