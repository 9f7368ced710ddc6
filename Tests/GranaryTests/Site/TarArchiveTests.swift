import Testing

@testable import Granary

/// A file in an archive.
struct TarEntry: Equatable {
    var path: String
    var content: [UInt8]

    /// Reads an archive, and checks the form of each header.
    static func entries(of archive: [UInt8]) throws -> [TarEntry] {
        try #require(archive.count % 512 == 0 && archive.suffix(1024).allSatisfy { $0 == 0 })
        var entries: [TarEntry] = []
        var rest = archive.dropLast(1024)
        while !rest.isEmpty {
            let header = Array(rest.prefix(512))
            func text(_ range: Range<Int>) -> String {
                String(decoding: header[range].prefix { $0 != 0 }, as: UTF8.self)
            }
            let blank = header.enumerated().reduce(0) { $0 + Int((148..<156).contains($1.0) ? 32 : $1.1) }
            #expect(Int(text(148..<154), radix: 8) == blank)
            #expect(text(257..<263) == "ustar" && text(263..<265) == "00" && text(156..<157) == "0")
            #expect(text(100..<108) == "0000644")
            let size = try #require(Int(text(124..<136), radix: 8))
            rest = rest.dropFirst(512)
            entries.append(TarEntry(path: text(0..<100), content: Array(rest.prefix(size))))
            let padding = rest.prefix((size + 511) / 512 * 512).dropFirst(size)
            #expect(padding.allSatisfy { $0 == 0 })
            rest = rest.dropFirst((size + 511) / 512 * 512)
        }
        return entries
    }
}

struct TarArchiveTests {
    @Test func `files of all sizes are found again`() throws {
        let files = [0, 1, 511, 512, 513, 100_000].map { size in
            PageFile(path: "folder/\(size)", content: [UInt8](repeating: 7, count: size))
        }
        let entries = try TarEntry.entries(of: TarArchive.bytes(of: files))
        #expect(entries == files.map { TarEntry(path: $0.path, content: $0.content) })
    }

    @Test func `a path may have a hundred bytes`() throws {
        let path = String(repeating: "a", count: 100)
        let archive = TarArchive.bytes(of: [PageFile(path: path, content: [1])])
        #expect(try TarEntry.entries(of: archive).map(\.path) == [path])
    }

    @Test func `equal files are equal archives`() {
        let files = [PageFile(path: "a", content: [1, 2])]
        #expect(TarArchive.bytes(of: files) == TarArchive.bytes(of: files))
    }

    @Test func `no files are an empty archive`() throws {
        #expect(try TarEntry.entries(of: TarArchive.bytes(of: [])).isEmpty)
    }
}
