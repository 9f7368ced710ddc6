import Dispatch
import HTTPServer
import Locking

/// The contents of a site by path, made when they are first needed.
///
/// Compressing them takes most of the time in which a server starts, and the clients of a server that was restarted are waiting
/// for their sessions.
final class SiteContents: Sendable {
    private let made = Lock<[String: StaticContent]?>(nil)
    private let make: @Sendable () -> [String: StaticContent]

    init(_ make: @escaping @Sendable () -> [String: StaticContent]) {
        self.make = make
    }

    /// The contents. The first callers wait until they are made.
    var all: [String: StaticContent] {
        made.withLock { made in
            if let made { return made }
            let contents = make()
            made = contents
            return contents
        }
    }

    /// Makes the contents on another thread.
    func prepare() {
        DispatchQueue.global(qos: .utility).async { [self] in _ = all }
    }
}
