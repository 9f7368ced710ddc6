import Foundation
import TLS

@testable import Granary

/// A temporary folder with certificates for one test.
final class CertificateFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "granary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        // Tools that renew certificates also replace the old file by a new one.
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"), options: .atomic)
    }

    func write(_ identity: TLSIdentity, _ name: String = "a") throws {
        try write(identity.certificates, to: "\(name).pem")
        try write(identity.privateKey, to: "\(name).key")
    }

    func configuration(_ names: String...) -> Configuration.TLS {
        var configuration = Configuration.TLS()
        configuration.certificates = names.map { "\(path)/\($0).pem" }
        configuration.privateKeys = names.map { "\(path)/\($0).key" }
        return configuration
    }
}
