import Log
import TLS

/// Takes certificates over from their files when these change. What cannot be used is refused with a line in the log, and
/// the server goes on with what it has.
struct CertificateWatch {
    private let files: CertificateFiles
    private let source: TLSContextSource
    private let log: Log
    private var stamps: [FileStamp]

    /// A watch over files of which the present content is in use.
    init(_ files: CertificateFiles, source: TLSContextSource, log: Log) {
        self.files = files
        self.source = source
        self.log = log
        stamps = files.stamps()
    }

    /// Looks whether a file has changed, and takes it over if so. A file that could not be used is tried again only once it
    /// has changed again.
    mutating func look() {
        let present = files.stamps()
        guard present != stamps else { return }
        stamps = present
        reload()
    }

    /// Takes the files over whether or not they seem to have changed.
    mutating func reload() {
        stamps = files.stamps()
        do {
            try source.replace(with: try files.read())
            log(.info, "certificates reloaded")
        } catch {
            log(.error, "the new certificates were refused, the old ones stay", ["error": .text("\(error)")])
        }
    }
}
