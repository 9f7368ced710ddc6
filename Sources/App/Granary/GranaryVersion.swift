/// The version of this package.
public enum GranaryVersion {
    /// The version number, such as `0.1.0`. It is the newest heading of `CHANGELOG.md`.
    public static let current = "0.1.0"
}
