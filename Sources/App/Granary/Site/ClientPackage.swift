import CPages
import HTTPServer

/// The JavaScript client: as modules for pages of this server, and as a package for everyone else.
enum ClientPackage {
    /// The files of the package, by their paths in it.
    private static var files: [PageFile] { PageFile.embedded(granary_client_files()) }

    /// The modules. The site serves them with the fingerprinted names of those that they import.
    static var modules: [PageFile] {
        served(".js") + [PageFile(path: "/granary.js", content: Array("export * from \"./client/granary.js\";\n".utf8))]
    }

    /// The declarations of the modules, which name each other by their plain names.
    static var declarations: [PageFile] {
        let served = served(".d.ts")
        let main = served.filter { $0.path == "/client/granary.d.ts" }
        return served + main.map { PageFile(path: "/granary.d.ts", content: $0.content) }
    }

    static let archivePath = "/granary-client.tgz"

    /// The package, as npm and `tar` read it.
    static var archive: PageFile {
        let files = files.map { PageFile(path: "granary-client/\($0.path)", content: $0.content) }
        return PageFile(path: archivePath, content: ContentEncoder.encode(TarArchive.bytes(of: files), .gzip))
    }

    private static func served(_ ending: String) -> [PageFile] {
        files.filter { $0.path.hasSuffix(ending) }.map { file in
            PageFile(path: file.path.replacing("src/", with: "/client/", maxReplacements: 1), content: file.content)
        }
    }
}
