/// Where a new package finds Granary.
package enum GranarySource: Equatable, Sendable {
    /// A checkout. The path is absolute, or relative to the new package.
    case path(String)
    /// The address of a Git repository.
    case address(String)

    /// A checkout in the folder next to the new package, as in the tutorial.
    package static let sibling = GranarySource.path("../granary")

    /// Creates a source from what a user has written.
    ///
    /// - Parameter text: An address (`https://…`, `ssh://…`, `git@…`), or a path that is absolute or relative to the folder
    ///   in which the package is created.
    /// - Throws: An error if the text is empty or has characters that a manifest cannot contain.
    package init(_ text: String) throws(PackageTemplateError) {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 32 || $0 == "\"" || $0 == "\\" }) else {
            throw PackageTemplateError("--granary: expected a path or the address of a Git repository, got \"\(text)\"")
        }
        if text.contains("://") || text.hasPrefix("git@") {
            self = .address(text)
        } else {
            self = .path(text.hasPrefix("/") ? text : "../\(text)")
        }
    }

    /// The dependency in the manifest.
    var dependency: String {
        switch self {
        case .path(let path): #".package(name: "granary", path: "\#(path)")"#
        case .address(let address): #".package(url: "\#(address)", branch: "main")"#
        }
    }

    /// The name by which the manifest refers to the package: SwiftPM calls it after the end of its address.
    var package: String {
        guard case .address = self else { return "granary" }
        return place
    }

    /// The name by which SwiftPM identifies the package, in lower case. A build cannot have two packages with one.
    var identity: String { place.lowercased() }

    /// The end of the path or the address, without `.git`.
    private var place: String {
        let parts =
            switch self {
            case .path(let path): path.split(separator: "/")
            case .address(let address): address.split(whereSeparator: { $0 == "/" || $0 == ":" })
            }
        let name = parts.last ?? "granary"
        return name.hasSuffix(".git") ? String(name.dropLast(4)) : String(name)
    }

    /// The absolute path of the checkout in a container whose package is in a folder of `/build`. `nil` if SwiftPM fetches it.
    func containerPath(_ name: PackageName) -> String? {
        guard case .path(let path) = self else { return nil }
        var parts: [Substring] = path.hasPrefix("/") ? [] : ["build", name.text[...]]
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
