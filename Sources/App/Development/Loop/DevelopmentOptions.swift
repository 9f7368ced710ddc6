import Foundation

/// The arguments of `granary dev`.
public struct DevelopmentOptions: Equatable, Sendable {
    /// The folder of the package.
    public private(set) var package: String
    /// The program; nil for the only one of the package.
    public private(set) var product: String?
    /// The flags of `swift build`, without the folder of the package.
    public private(set) var buildFlags: [String] = []
    /// The arguments for `serve`.
    public private(set) var arguments: [String] = []

    /// Parses the arguments after `dev`: a program, flags of `swift build`, and after `--` the arguments for `serve`.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - folder: The working directory.
    /// - Throws: An error that says what was expected.
    public init(_ arguments: [String], in folder: String) throws(DevelopmentError) {
        package = folder
        var rest = arguments[...]
        if let first = rest.first, !first.hasPrefix("-") { product = rest.popFirst() }
        while let argument = rest.popFirst() {
            if argument == "--" {
                self.arguments = Array(rest)
                return
            }
            guard !argument.hasPrefix("--http.") else {
                throw DevelopmentError("dev: expected -- before the flags of serve, got \"\(argument)\"")
            }
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.first == "--package-path" else {
                buildFlags.append(argument)
                continue
            }
            guard let path = argument.contains("=") ? parts.dropFirst().first : rest.popFirst() else {
                throw DevelopmentError("--package-path requires a value")
            }
            package = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        }
    }

    /// The flag that says where builds are, for commands that do not build.
    var scratchFlags: [String] {
        let flag = "--scratch-path"
        guard let place = buildFlags.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else { return [] }
        guard buildFlags[place] == flag else { return [buildFlags[place]] }
        return place + 1 < buildFlags.count ? Array(buildFlags[place...(place + 1)]) : []
    }
}
