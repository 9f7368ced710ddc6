import CBuildInformation

/// How a program was built, for `--version --verbose`.
struct BuildProvenance: Equatable {
    /// The commit of the sources, as the environment of the build has stated it; nil if it has stated none.
    let commit: String?
    /// The version of Swift.
    let language: String
    /// The compiler of the toolchain, with its commit.
    let compiler: String
    let isDebug: Bool
    let architecture: String

    /// The lines after the version.
    ///
    /// - Parameter libraries: The libraries that the process has loaded.
    func text(_ libraries: [LinkedLibrary] = LinkedLibrary.all) -> String {
        [
            ("granary", GranaryVersion.current),
            ("commit", commit ?? "unknown: BUILD_COMMIT was not set for the build"),
            ("toolchain", "Swift \(language), \(compiler)"),
            ("build", "\(isDebug ? "debug" : "release"), \(architecture), Linux"),
            ("libraries", libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", ")),
        ]
        .map { name, value in "\(name)\(String(repeating: " ", count: 11 - name.count))\(value)" }
        .joined(separator: "\n")
    }
}

extension BuildProvenance {
    /// How this program was built.
    static var current: BuildProvenance {
        BuildProvenance(
            commit: granary_build_commit().map { String(cString: $0) }, language: language,
            compiler: granary_build_compiler().map { String(cString: $0) } ?? "unknown compiler", isDebug: isDebug,
            architecture: architecture)
    }

    private static var language: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #else
            "6.3"
        #endif
    }

    private static var isDebug: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "aarch64"
        #else
            "another architecture"
        #endif
    }
}
