import FoundationEssentials
import Glibc
import TLS

/// The files that a server's certificates come from.
struct CertificateFiles: Sendable {
    private let configuration: Configuration.TLS

    /// The files of a configuration that names any.
    init(_ configuration: Configuration.TLS) {
        self.configuration = configuration
    }

    /// Reads all of them. Throws what is wrong with the first that cannot be used, by its name.
    func read() throws(CertificateFileError) -> TLSConfiguration {
        let (certificates, keys) = (configuration.certificates, configuration.privateKeys)
        guard certificates.count == keys.count else {
            throw CertificateFileError(
                description: "tls.certificates names \(certificates.count) files and tls.privateKeys "
                    + "\(keys.count): they belong together one by one.")
        }
        var identities: [TLSIdentity] = []
        for (certificate, key) in zip(certificates, keys) {
            let (chain, privateKey) = (
                try CertificateFiles.content(of: certificate), try CertificateFiles.content(of: key)
            )
            do throws(TLSError) {
                identities.append(try TLSIdentity(certificates: chain, privateKey: privateKey))
            } catch {
                throw CertificateFileError(description: "\(certificate) with \(key): \(error)")
            }
        }
        return try engine(identities)
    }

    /// Checks that clients are asked for their certificates where an operator means them to be.
    func checkClients() throws(CertificateFileError) {
        if configuration.requiresClientCertificate, configuration.clientIssuers.isEmpty {
            throw CertificateFileError(
                description: "tls.requiresClientCertificate needs the issuers of clients' certificates in "
                    + "tls.clientIssuers.")
        }
        if !configuration.clientIssuers.isEmpty, !configuration.isEnabled {
            throw CertificateFileError(
                description: "tls.clientIssuers needs TLS: a certificate in tls.certificates, or tls.selfSigned.")
        }
    }

    /// What servers with these certificates speak. Reads the issuers of clients' certificates.
    func engine(_ identities: [TLSIdentity]) throws(CertificateFileError) -> TLSConfiguration {
        var tls = configuration.engine(identities)
        if !configuration.clientIssuers.isEmpty {
            let issuers = try CertificateFiles.content(of: configuration.clientIssuers)
            tls.clientCertificates =
                configuration.requiresClientCertificate ? .required(issuers: issuers) : .optional(issuers: issuers)
        }
        return tls
    }

    /// What tells a file from an earlier one at the same path, for each of them; a file that cannot be looked at has a
    /// stamp too.
    func stamps() -> [FileStamp] {
        (configuration.certificates + configuration.privateKeys + [configuration.clientIssuers]).map(FileStamp.init)
    }

    private static func content(of path: String) throws(CertificateFileError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw CertificateFileError(description: "\(path) cannot be read: \(FileReadingReason.text(of: error)).")
        }
    }
}

/// Why certificates cannot be taken from their files.
struct CertificateFileError: Error, Equatable, CustomStringConvertible {
    let description: String
}

/// What tells a file from an earlier one at the same path. Links are followed, as certificates are often exchanged by
/// turning a link round.
struct FileStamp: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    /// When it was changed, as the system writes it.
    private let modified: [UInt8]

    init(_ path: String) {
        var status = stat()
        if stat(path, &status) != 0 { status = stat() }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = withUnsafeBytes(of: status.st_mtim) { Array($0) }
    }
}
