/// The name of a new package, and the names of its modules.
package struct PackageName: Equatable, Sendable {
    /// The name of the folder, the package and its executable, such as `todo-list`.
    package let text: String
    /// The words of the name with capitals, such as `TodoList`: the beginning of the names of modules.
    let base: String

    /// The target of the view model.
    var model: String { "\(base)Model" }
    /// The target of the executable.
    var server: String { "\(base)Server" }
    /// The target of the tests.
    var tests: String { "\(base)ServerTests" }

    /// The names of Granary's products: a build cannot have two of one name. `PackageNameTests` compares them with the manifest.
    static let reserved: Set = [
        "access", "asyncbinding", "casepathmacros", "combine", "combineschedulers", "combinetesting",
        "composableadapter", "composablearchitecture", "composablemacros", "composabletesting", "granary",
        "granaryclient", "httpmodel", "httpserver", "httpservertesting", "journaltesting", "log", "machineadapters",
        "machinehost", "machinetesting", "ricemill", "ricemilladapter", "rxcore", "rxtesting", "unio", "unioadapter",
        "http-target",
    ]

    /// The modules of Granary whose names end like those of a new package, such as `HTTPServer` for `http` and `h-t-t-p`.
    static let reservedModules: Set = ["crashtestserver", "httpmodel", "httpserver"]

    /// Creates a name.
    ///
    /// - Parameter text: Letters of ASCII, digits and hyphens. It begins with a letter, and a hyphen stands between two
    ///   others. At most 64 characters.
    /// - Throws: An error that says what was expected.
    package init(_ text: String) throws(PackageTemplateError) {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        let isWord = { (word: Substring) in
            !word.isEmpty && word.utf8.allSatisfy { byte in Self.isLetter(byte) || (48...57).contains(byte) }
        }
        guard text.utf8.count <= 64, words.allSatisfy(isWord), let first = text.utf8.first, Self.isLetter(first) else {
            throw PackageTemplateError(
                "expected a name of at most 64 letters, digits and single hyphens that begins with a letter, such as "
                    + "todo-list, got \"\(text)\"")
        }
        self.text = text
        base = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let modules = Set([model, server].map { $0.lowercased() })
        guard !Self.reserved.contains(text.lowercased()), Self.reservedModules.isDisjoint(with: modules) else {
            throw PackageTemplateError("\"\(text)\" is a name of Granary itself: choose another one")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
}
