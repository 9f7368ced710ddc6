import FoundationEssentials
import Glibc
import TLS

struct CertificateFiles: Sendable {
    private let configuration: Configuration.TLS

    init(_ configuration: Configuration.TLS) {
        self.configuration = configuration
    }

    /// Reads all files.
    ///
    /// - Throws: `OperatorError` that names the first file that cannot be used.
    func read() throws(OperatorError) -> TLSConfiguration {
        let (certificates, keys) = (configuration.certificates, configuration.privateKeys)
        guard certificates.count == keys.count else {
            throw OperatorError(
                "expected as many files in tls.privateKeys as in tls.certificates (\(certificates.count)), got "
                    + "\(keys.count).")
        }
        var identities: [TLSIdentity] = []
        for (certificate, key) in zip(certificates, keys) {
            let (chain, privateKey) = (
                try CertificateFiles.content(of: certificate), try CertificateFiles.content(of: key)
            )
            do throws(TLSError) {
                identities.append(try TLSIdentity(certificates: chain, privateKey: privateKey))
            } catch {
                throw OperatorError("\(certificate) with \(key): \(error)")
            }
        }
        return try engine(identities)
    }

    /// Checks that the keys of the configuration do not contradict each other.
    func check() throws(OperatorError) {
        if configuration.selfSigned, !configuration.certificates.isEmpty || !configuration.privateKeys.isEmpty {
            throw OperatorError(
                "expected either tls.selfSigned or tls.certificates with tls.privateKeys, got both: set "
                    + "tls.selfSigned to false to serve the certificates.")
        }
        if configuration.requiresClientCertificate, configuration.clientIssuers.isEmpty {
            throw OperatorError(
                "tls.requiresClientCertificate requires tls.clientIssuers, the issuers of client "
                    + "certificates.")
        }
        if !configuration.clientIssuers.isEmpty, !configuration.isEnabled {
            throw OperatorError(
                "tls.clientIssuers requires TLS: set tls.certificates or tls.selfSigned.")
        }
    }

    /// Returns the TLS configuration with these certificates. Reads the issuers of client certificates.
    func engine(_ identities: [TLSIdentity]) throws(OperatorError) -> TLSConfiguration {
        var tls = configuration.engine(identities)
        if !configuration.clientIssuers.isEmpty {
            let issuers = try CertificateFiles.content(of: configuration.clientIssuers)
            tls.clientCertificates =
                configuration.requiresClientCertificate ? .required(issuers: issuers) : .optional(issuers: issuers)
        }
        return tls
    }

    /// Returns the stamps of all files. A file that cannot be accessed has a stamp, too.
    func stamps() -> [FileStamp] {
        (configuration.certificates + configuration.privateKeys + [configuration.clientIssuers]).map(FileStamp.init)
    }

    private static func content(of path: String) throws(OperatorError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw OperatorError("\(path) could not be read: \(FileErrorText.reason(of: error)).")
        }
    }
}

// `stat` follows symbolic links, because certificates are often replaced by switching a link.
/// Identifies the content of a file, for detecting changes.
struct FileStamp: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    /// The bytes of the modification time.
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
