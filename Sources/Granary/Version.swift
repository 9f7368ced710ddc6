/// The version of this package.
enum Version {
    /// The newest heading of `CHANGELOG.md`.
    static let current = "0.1.0"
}
