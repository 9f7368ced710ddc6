/// A command about the API keys of a server.
enum KeysCommand: Equatable {
    case new(String)
    case list
    case revoke(String)

    /// The names after `keys`.
    static let names = ["new", "list", "revoke"]
}
