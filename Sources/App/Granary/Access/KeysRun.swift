import Access

/// Runs a command about the API keys of a file. A running server reloads the file by itself.
struct KeysRun {
    /// The file of API keys; empty if none is configured.
    let path: String
    /// Prints lines to standard output.
    let print: (String) -> Void
    let printError: (String) -> Void

    /// Runs a command.
    ///
    /// - Returns: The exit status: 0 for success, 1 for a failure.
    func run(_ command: KeysCommand) -> Int32 {
        do throws(OperatorError) {
            guard !path.isEmpty else { throw OperatorError("access.apiKeys: expected the path of a file, got none") }
            switch command {
            case .list:
                for name in try KeyFile(path: path, key: KeysRun.key).apiKeys().names { print(name) }
            case .new(let name): print(try create(name))
            case .revoke(let name): try revoke(name)
            }
            return 0
        } catch {
            printError(error.description)
            return 1
        }
    }

    private static let key = "access.apiKeys"

    private func create(_ name: String) throws(OperatorError) -> String {
        let file = try LockedKeyFile(path: path, key: KeysRun.key, creates: true)
        let keys = try KeyFile(path: file.path, key: KeysRun.key).apiKeys()
        let (key, text): (String, String)
        do throws(AccessConfigurationError) {
            (key, text) = try keys.adding(name)
        } catch {
            throw OperatorError("\(path): \(error.description)")
        }
        // Printed after it is stored: a key that is shown and unknown would be worse than one that is stored and unknown.
        try file.replace(with: text)
        return key
    }

    private func revoke(_ name: String) throws(OperatorError) {
        let file = try LockedKeyFile(path: path, key: KeysRun.key, creates: false)
        let keys = try KeyFile(path: file.path, key: KeysRun.key).apiKeys()
        guard let text = keys.removing(name) else {
            let names = keys.names.isEmpty ? "no key" : keys.names.joined(separator: ", ")
            throw OperatorError("\(path): expected the name of a key (\(names)), got \"\(name.prefix(80))\"")
        }
        try file.replace(with: text)
    }
}
