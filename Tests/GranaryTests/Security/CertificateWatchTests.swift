import Foundation
import TLS
import Testing

@testable import Granary

@Suite struct CertificateWatchTests {
    private let folder: CertificateFolder
    private let first: TLSIdentity
    private let lines = LogLines()

    init() throws {
        folder = try CertificateFolder()
        first = try TLSIdentity.selfSigned()
        try folder.write(first)
    }

    private func watch() throws -> (FileWatch, TLSContextSource) {
        let files = CertificateFiles(folder.configuration("a"))
        let source = try TLSContextSource(try files.read())
        return (FileWatch(files, source: source, log: lines.log), source)
    }

    private func served(_ source: TLSContextSource) -> [String] {
        source.current.configuration.identities.map(\.fingerprint)
    }

    @Test func `a changed certificate is reloaded once`() throws {
        var (watch, source) = try watch()
        watch.check()
        #expect(served(source) == [first.fingerprint])
        #expect(lines.all.isEmpty)
        let next = try TLSIdentity.selfSigned()
        try folder.write(next)
        watch.check()
        watch.check()
        #expect(served(source) == [next.fingerprint])
        #expect(lines.all == ["audit: certificates reloaded"])
    }

    @Test func `a pair with only one changed file is rejected, and reloaded once both have changed`() throws {
        var (watch, source) = try watch()
        let next = try TLSIdentity.selfSigned()
        try folder.write(next.certificates, to: "a.pem")
        watch.check()
        watch.check()
        #expect(served(source) == [first.fingerprint])
        #expect(lines.all == ["new certificates rejected, keeping the previous ones"])
        try folder.write(next.privateKey, to: "a.key")
        watch.check()
        #expect(served(source) == [next.fingerprint])
    }

    @Test func `a removed file changes nothing`() throws {
        var (watch, source) = try watch()
        try FileManager.default.removeItem(atPath: "\(folder.path)/a.pem")
        watch.check()
        #expect(served(source) == [first.fingerprint])
        #expect(lines.all.count == 1)
    }

    @Test func `an explicit reload reads the files immediately`() throws {
        var (watch, source) = try watch()
        watch.reload()
        #expect(served(source) == [first.fingerprint])
        #expect(lines.all == ["audit: certificates reloaded"])
    }
}
