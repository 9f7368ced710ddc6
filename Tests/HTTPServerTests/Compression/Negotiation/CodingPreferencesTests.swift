import HTTPModel
import HTTPServer
import Testing

@Suite struct CodingPreferencesTests {
    private func preferences(_ lines: String...) throws -> CodingPreferences {
        var fields: HTTPFields = [.accept: "*/*"]
        for line in lines { fields.append(.acceptEncoding, try #require(HTTPFieldValue(line))) }
        return CodingPreferences(fields)
    }

    @Test(arguments: [
        ("gzip", ContentCoding.gzip), ("br", .brotli), ("gzip, br", .brotli), ("br, gzip", .brotli),
        ("GZIP", .gzip), ("x-gzip", .gzip), ("deflate, gzip;q=0.5", .gzip), ("br;q=0.5, gzip", .gzip),
        ("gzip;q=0.001, br;q=0", .gzip), ("*", .brotli), ("*;q=0.5, br;q=0", .gzip), ("gzip, *;q=0", .gzip),
        ("gzip;q=1.000,br;q=0.999", .gzip), ("gzip ; q=0.8 , br\t;\tq=0.9", .brotli), ("identity;q=0, gzip", .gzip),
        ("gzip, identity", .gzip), (",,gzip,", .gzip), ("zstd, br;Q=0.1", .brotli), ("gzip;q=1., br;q=0.9", .gzip),
        ("br;q=0.2, br, gzip;q=0.3", .gzip),
    ])
    func `the coding with the highest weight is chosen, and brotli if weights are equal`(
        _ line: String, _ expected: ContentCoding
    ) throws {
        #expect(try preferences(line).choose(from: [.brotli, .gzip]) == expected)
    }

    @Test(arguments: [
        "", "deflate", "identity", "gzip;q=0", "br;q=0.000, gzip;q=0", "*;q=0", "identity;q=1, gzip;q=0.5",
        "gzip;q=2", "gzip;q=0.1234", "gzip;q=", "gzip;level=1", "gzip;q=-1", "gzip;q=1.001", "gzip;q=0,5", "gzip br",
        "gzip;q=.5", "zip", "compress, zstd",
    ])
    func `nothing is encoded for an absent, empty or malformed preference`(_ line: String) throws {
        #expect(try preferences(line).choose(from: [.brotli, .gzip]) == nil)
    }

    @Test func `without the field, nothing is encoded and any content is acceptable`() throws {
        #expect(try preferences().choose(from: [.brotli, .gzip]) == nil)
        #expect(try preferences().takesIdentity)
    }

    @Test func `only offered codings are chosen`() throws {
        #expect(try preferences("br, gzip;q=0.1").choose(from: [.gzip]) == .gzip)
        #expect(try preferences("br").choose(from: [.gzip]) == nil)
        #expect(try preferences("br, gzip").choose(from: [.gzip, .brotli]) == .gzip)
        #expect(try preferences("br, gzip").choose(from: []) == nil)
    }

    @Test func `several field lines are one list`() throws {
        #expect(try preferences("gzip;q=0.5", "br;q=0.4").choose(from: [.brotli, .gzip]) == .gzip)
        #expect(try preferences("deflate", "br").choose(from: [.brotli, .gzip]) == .brotli)
    }

    @Test(arguments: [
        ("identity;q=0", false), ("*;q=0", false), ("gzip, *;q=0", false), ("identity;q=0.0, *", false),
        ("*;q=0, identity;q=0.1", true), ("gzip", true), ("", true), ("*", true), ("identity", true),
    ])
    func `content without a coding is acceptable unless excluded`(_ line: String, _ expected: Bool) throws {
        #expect(try preferences(line).takesIdentity == expected)
    }
}
