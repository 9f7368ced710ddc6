import Access

extension ServedAccess {
    /// Returns the problems of a configuration that would prevent a server from starting. Creates nothing.
    static func problems(_ configuration: Configuration, host: HostAuthenticator? = nil) -> [String] {
        let access = configuration.access
        var problems = [problem { try AccessPlan(configuration, host: host).check() }]
        for file in files(access) {
            problems.append(
                problem {
                    var keys = try AccessKeys(access)
                    try keys.replace(with: try content(of: file))
                })
        }
        if !access.signingKeys.isEmpty { problems.append(problem { _ = try signingFile(access, nil)?.signingKeys() }) }
        if !access.identityKey.isEmpty { problems.append(problem { _ = try IdentityKey(access.identityKey, nil) }) }
        return problems.compactMap { $0 }
    }

    private static func problem(_ check: () throws -> Void) -> String? {
        do {
            try check()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Returns the files of keys that have to exist.
    static func files(_ configuration: Configuration.AccessControl) -> [Watched] {
        var files: [Watched] = []
        if !configuration.apiKeys.isEmpty {
            files.append(
                Watched(source: .apiKeys, file: KeyFile(path: configuration.apiKeys, key: "access.apiKeys")))
        }
        for (index, issuer) in configuration.tokenIssuers.enumerated() {
            guard case .file(let path) = TokenKeySource(issuer.keys) else { continue }
            files.append(Watched(source: .issuer(index), file: KeyFile(path: path, key: "access.jwt")))
        }
        return files
    }

    /// Reads a file.
    static func content(of watched: Watched) throws(OperatorError) -> AccessKeys.Content {
        switch watched.source {
        case .apiKeys: return .apiKeys(try watched.file.apiKeys())
        case .issuer(let index): return .issuer(index, try watched.file.tokenKeys())
        case .signing:
            let (keys, count) = try watched.file.signingKeys()
            return .signing(keys, count: count)
        }
    }

    /// Returns the file of signing keys, which is created in the state directory if none is configured; nil without either.
    static func signingFile(
        _ configuration: Configuration.AccessControl, _ directory: String?
    ) throws(OperatorError) -> KeyFile? {
        let key = AccessPlan.signingKey
        if !configuration.signingKeys.isEmpty { return KeyFile(path: configuration.signingKeys, key: key) }
        guard let directory else { return nil }
        return KeyFile(path: try CreatedKeyFile.path(AccessPlan.signingFile, in: directory, key: key), key: key)
    }
}
