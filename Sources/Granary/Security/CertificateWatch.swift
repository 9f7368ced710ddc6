import Log
import TLS

/// Reloads certificates when their files change. Invalid certificates are logged and rejected, and the server keeps the
/// previous ones.
struct CertificateWatch {
    private let files: CertificateFiles
    private let source: TLSContextSource
    private let log: Log
    private var stamps: [FileStamp]

    /// Creates a watch of files whose current content is in use.
    init(_ files: CertificateFiles, source: TLSContextSource, log: Log) {
        self.files = files
        self.source = source
        self.log = log
        stamps = files.stamps()
    }

    /// Reloads the files if one has changed. Invalid files are tried again only after another change.
    mutating func check() {
        let present = files.stamps()
        guard present != stamps else { return }
        stamps = present
        reload()
    }

    /// Reloads the files even if they seem unchanged.
    mutating func reload() {
        stamps = files.stamps()
        do {
            try source.replace(with: try files.read())
            log(.info, "certificates reloaded")
        } catch {
            log(.error, "new certificates rejected, keeping the previous ones", ["error": .text("\(error)")])
        }
    }
}
