import HTTPServer
import Testing

@testable import Granary

struct CompressionConfigurationTests {
    private func load(_ flags: (String, String)...) throws -> HTTPServerCompression? {
        try ConfigurationLoader.load(
            .standard, file: nil, environment: [:], flags: flags.map { (name: "compression.\($0.0)", value: $0.1) }
        ).httpServer().compression
    }

    @Test func `by default, responses are compressed and streams are not`() throws {
        #expect(try load() == HTTPServerCompression())
        #expect(try load()?.answers == true && load()?.streams == .off)
    }

    @Test func `the configured values reach the server`() throws {
        let server = try #require(
            try load(
                ("answers", "false"), ("minimum", "2KiB"), ("gzipLevel", "1"), ("brotliQuality", "9"),
                ("streams", "gzip"), ("streamWindow", "8KiB")))
        #expect(!server.answers && server.minimumBytes == 2048 && server.gzipLevel == 1 && server.brotliQuality == 9)
        #expect(server.streams == .gzip && server.streamWindowBytes == 8192)
        #expect(try load(("streams", "brotli"))?.streams == .brotli)
    }

    @Test func `compression is absent if both kinds are off`() throws {
        #expect(try load(("answers", "false")) == nil)
    }

    @Test func `an unsupported window or coding is rejected`() {
        #expect(throws: (any Error).self) { try load(("streamWindow", "64KiB")) }
        #expect(throws: (any Error).self) { try load(("streams", "deflate")) }
    }
}
