import CLinux
import Foundation
import HTTPModel
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

    /// Makes the contents on another thread, which leaves the processors to the clients that reconnect.
    func prepare() {
        // Its own, because a thread cannot get its priority back. Quality of service has no effect on Linux.
        Thread.detachNewThread { [self] in
            granary_lower_priority()
            // Without the lock: whoever needs the contents now makes them faster than a thread that others delay.
            let contents = make()
            made.withLock { if $0 == nil { $0 = contents } }
        }
    }

    /// The paths, in alphabetical order.
    var paths: [String] { all.keys.sorted() }

    /// Returns the response to a request for one of the contents; nil for other paths.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        let contents = all
        if let content = contents[String(request.path)] { return content.response(to: request) }
        // During a deployment, another server may have served the page of another build. The file here differs from the
        // one that the page refers to, but most likely works. It must be revalidated, so it is not cached under the
        // wrong name.
        return FingerprintedNames.plainPath(of: request.path).flatMap { contents[$0] }?.response(to: request)
    }

    /// Returns the contents of files, by their plain and their fingerprinted names, of documents that refer to them, and of downloads, which
    /// are served unchanged.
    static func contents(
        of files: [PageFile], _ documents: [PageFile], downloads: [PageFile] = []
    ) -> [String: StaticContent] {
        let names = FingerprintedNames(files)
        var contents: [String: StaticContent] = [:]
        for file in files {
            let content = Site.content(names.content(of: file.path) ?? file.content, file.contentType)
            contents[file.path] = content
            if let name = names.name(of: file.path) { contents[name] = content.kept(.immutable) }
        }
        for document in documents {
            contents[document.path] = Site.content(names.naming(document.content), document.contentType)
        }
        for file in downloads { contents[file.path] = Site.content(file.content, file.contentType) }
        return contents
    }
}
