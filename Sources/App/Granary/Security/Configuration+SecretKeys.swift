import Contract
import MachineHost

extension Configuration {
    /// Reads the keys that encrypt stored sessions; nil if there are none.
    ///
    /// The first key of the file encrypts, and all of them decrypt. So a key is replaced by a new one before it.
    ///
    /// - Throws: If the file cannot be used.
    func secretKeys() throws(OperatorError) -> SecretKeys? {
        guard !storage.keyFile.isEmpty else { return sessions.secretKeys }
        let secrets = try KeyFile(path: storage.keyFile, key: "sessions.keyFile").secrets()
        return SecretKeys(secrets.compactMap { SecretKey(bytes: $0) })
    }

    /// Returns the configuration of the host, with the keys.
    func host() throws(OperatorError) -> HostConfiguration {
        var host = sessions
        host.secretKeys = try secretKeys()
        if servesDocs {
            let title = sessions.build.isEmpty ? "Granary" : sessions.build
            host.document = { HostDocument.bytes(of: $0, title: title, version: GranaryVersion.current) }
        }
        return host
    }
}
