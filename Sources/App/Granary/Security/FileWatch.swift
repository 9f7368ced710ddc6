import Access
import Log
import TLS

/// Loads something again when its files change. What cannot be loaded is logged, and the previous version stays in force.
struct FileWatch {
    private let stamp: () -> [FileStamp]
    private let load: () -> Void
    private var stamps: [FileStamp]

    /// Creates a watch of files whose current content is in use.
    ///
    /// - Parameters:
    ///   - stamp: Returns the stamps of the files.
    ///   - load: Loads the files, and logs the result.
    init(stamp: @escaping () -> [FileStamp], load: @escaping () -> Void) {
        self.stamp = stamp
        self.load = load
        stamps = stamp()
    }

    /// Loads the files if one has changed. Invalid files are tried again only after another change.
    mutating func check() {
        let present = stamp()
        guard present != stamps else { return }
        stamps = present
        load()
    }

    /// Loads the files even if they seem unchanged.
    mutating func reload() {
        stamps = stamp()
        load()
    }
}

extension FileWatch {
    init(_ files: CertificateFiles, source: TLSContextSource, log: Log) {
        self.init {
            files.stamps()
        } load: {
            do {
                try source.replace(with: try files.read())
                AuditEvent(.certificatesReloaded).write(to: log)
            } catch {
                log(.error, "new certificates rejected, keeping the previous ones", ["error": .text("\(error)")])
            }
        }
    }
}
