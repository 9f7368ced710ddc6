package import MachineHost

/// The documents that describe a host and its machines.
package enum HostDocument {
    /// Returns a document in the form that its description names.
    ///
    /// - Parameters:
    ///   - host: What the document is about.
    ///   - title: The name of the server.
    package static func bytes(of host: HostDescription, title: String, version: String) -> [UInt8] {
        switch host.form {
        case .openAPI: OpenAPIDocument.json(of: host, title: title, version: version)
        case .types(let language): Array("\(language.text(of: MachineContract(host.machines)))\n".utf8)
        }
    }
}
