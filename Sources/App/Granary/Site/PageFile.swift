import CPages
import HTTPModel

/// A static file of the site.
public struct PageFile: Sendable {
    /// The absolute path at which the file is served, such as `/app.js`.
    public let path: String
    let contentType: HTTPFieldValue
    let content: [UInt8]

    /// Creates a file. Its media type is derived from the extension of the path.
    public init(path: String, content: [UInt8]) {
        let name = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        self.init(path: path, contentType: Self.contentTypes[name] ?? "application/octet-stream", content: content)
    }

    init(path: String, contentType: HTTPFieldValue, content: [UInt8]) {
        self.path = path
        self.contentType = contentType
        self.content = content
    }

    /// Returns files that the build has embedded.
    static func embedded(_ files: granary_files) -> [PageFile] {
        UnsafeBufferPointer(start: files.first, count: files.count).map { file in
            PageFile(path: String(cString: file.path), content: Array(String(cString: file.text).utf8))
        }
    }

    private static let contentTypes: [String: HTTPFieldValue] = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "ico": "image/x-icon",
        "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "mjs": "text/javascript; charset=utf-8", "png": "image/png",
        "svg": "image/svg+xml", "tgz": "application/gzip", "ts": "text/plain; charset=utf-8",
        "txt": "text/plain; charset=utf-8", "wasm": "application/wasm", "webmanifest": "application/manifest+json",
        "webp": "image/webp", "woff2": "font/woff2",
    ]
}
