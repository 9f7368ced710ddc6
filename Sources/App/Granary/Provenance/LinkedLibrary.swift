import CBrotli
import CCurl
import CNGHTTP2
import COpenSSL
import CSQLite
import CZlib
import Glibc

#if canImport(PostgreSQLJournal)
    import PostgreSQLJournal
#endif

/// A library that the program uses and does not contain in source.
struct LinkedLibrary: Equatable {
    /// The name of the project.
    let name: String
    /// The version of the library that this process has loaded. It may be newer than the one of the build.
    let version: String
    /// The identifier of the licence in SPDX's list.
    let license: String

    /// The libraries of every server, in alphabetical order. The standard library is part of the program or next to it.
    static var all: [LinkedLibrary] {
        [
            LinkedLibrary(name: "brotli", version: brotli, license: "MIT"),
            LinkedLibrary(name: "curl", version: text(granary_curl_version()), license: "curl"),
            LinkedLibrary(name: "glibc", version: glibc, license: "LGPL-2.1-or-later"),
            LinkedLibrary(name: "nghttp2", version: text(nghttp2_version(0)?.pointee.version_str), license: "MIT"),
            LinkedLibrary(
                name: "openssl", version: text(OpenSSL_version(OPENSSL_VERSION_STRING)), license: "Apache-2.0"),
        ] + postgreSQL + [
            LinkedLibrary(name: "sqlite", version: text(sqlite3_libversion()), license: "blessing"),
            LinkedLibrary(name: "swift", version: BuildProvenance.current.language, license: "Apache-2.0"),
            LinkedLibrary(name: "zlib", version: text(zlibVersion()), license: "Zlib"),
        ]
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? "unknown"
    }

    private static var postgreSQL: [LinkedLibrary] {
        #if canImport(PostgreSQLJournal)
            [LinkedLibrary(name: "postgresql", version: PostgreSQLAddress.libraryVersion, license: "PostgreSQL")]
        #else
            []
        #endif
    }

    private static var brotli: String {
        // Eight bits for the major version and twelve for each of the others.
        let number = BrotliEncoderVersion()
        return "\(number >> 24).\(number >> 12 & 0xFFF).\(number & 0xFFF)"
    }

    /// The version as `confstr` states it: `glibc 2.36`.
    private static var glibc: String {
        var bytes = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &bytes, bytes.count) > 0 else { return "unknown" }
        let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: " ").last.map(String.init) ?? "unknown"
    }
}
