import Foundation
import Glibc
import Testing

/// A server whose disk other programs fill completely.
struct FullDiskTests {
    /// A file system in memory, which a test can fill.
    private final class SmallDisk {
        static let isPermitted = (try? SmallDisk()) != nil
        private static let bytes = 80 << 20

        /// The path of its root.
        let path = "/tmp/granary-disk-\(UUID().uuidString)"
        private var filler: String { path + "/filler" }

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let command = "mount -t tmpfs -o size=\(SmallDisk.bytes),mode=700 none \(path) 2>/dev/null"
            guard try SmallDisk.run(command) else { throw NotPermitted() }
        }

        private struct NotPermitted: Error {}

        deinit {
            _ = try? SmallDisk.run("umount -l \(path)")
            rmdir(path)
        }

        private static func run(_ command: String) throws -> Bool {
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", command]
            try shell.run()
            shell.waitUntilExit()
            return shell.terminationStatus == 0
        }

        /// Fills the disk to the last block.
        func fill() throws { _ = try SmallDisk.run("cat /dev/zero >\(filler) 2>/dev/null") }

        func empty() throws { try FileManager.default.removeItem(atPath: filler) }
    }

    private func serve(_ disk: SmallDisk) throws -> (granary: GranaryProcess, url: String) {
        let granary = try GranaryProcess([
            "serve", "--http.port", "0", "--sessions.state-directory", "\(disk.path)/state", "--sessions.disk-reserve",
            "1MiB",
        ])
        return (granary, "http://\(try #require(granary.address()))")
    }

    private func create(_ url: String, _ output: [String]) throws -> String {
        try Curl.run(
            output + ["\(url)/v1/sessions", "-H", "Content-Type: application/json", "-d", #"{"machine":"counter"}"#])
    }

    private func create(_ url: String) throws -> String {
        try create(url, ["-o", "/dev/null", "-w", "%header{location}"])
    }

    private func increment(_ session: String) throws -> String {
        try Curl.run(["-X", "POST", "\(session)/inputs/increment"])
    }

    /// Sends inputs until the server has noticed how much is free, which it looks up once a second.
    ///
    /// - Returns: The number of inputs that were accepted, and the last response.
    private func increment(
        _ session: String, while condition: (String) -> Bool
    ) throws -> (accepted: Int, last: String) {
        var accepted = 0
        while true {
            let response = try increment(session)
            if response.hasPrefix(#"{"version":"#) { accepted += 1 }
            if !condition(response) { return (accepted, response) }
        }
    }

    @Test(.enabled("mounting a file system needs privileges", { SmallDisk.isPermitted }))
    func `a server on a disk without a free block serves reads, refuses inputs, and starts again`() throws {
        let disk = try SmallDisk()
        let first = try serve(disk)
        let (kept, ended) = (try create(first.url), try create(first.url))
        try disk.fill()
        let (count, refusal) = try increment(first.url + kept) { $0.hasPrefix(#"{"version":"#) }
        #expect(refusal.contains("/problems/disk-full"), "\(refusal)")
        #expect(try create(first.url, []).contains("/problems/disk-full"))
        #expect(try Curl.run([first.url + kept]).contains(#""outputs":{"count":\#(count),"#))
        #expect(try Curl.run(["-X", "DELETE", "-w", "%{http_code}", first.url + ended]) == "204")
        #expect(first.granary.end(with: SIGTERM).status == 0)
        let second = try serve(disk)
        #expect(try Curl.run([second.url + kept]).contains(#""version":\#(count),"#))
        let head = try Curl.run(["-i", "-X", "POST", second.url + kept + "/inputs/increment"])
        #expect(head.contains(" 507 ") && head.lowercased().contains("retry-after: "), "\(head)")
        let stream = try Curl.start(["-N", second.url + kept + "/outputs", "-H", "Accept: text/event-stream"])
        #expect(String(decoding: stream.output.someData(), as: UTF8.self).contains("event: snapshot"))
        stream.process.terminate()
        // What a killed process leaves behind is found on the full disk as well.
        _ = second.granary.end(with: SIGKILL)
        let third = try serve(disk)
        #expect(try Curl.run([third.url + kept]).contains(#""version":\#(count),"#))
        #expect(try Curl.run(["-o", "/dev/null", "-w", "%{http_code}", third.url + ended]) == "410")
        try disk.empty()
        let (_, accepted) = try increment(third.url + kept) { $0.contains("/problems/disk-full") }
        #expect(accepted == #"{"version":\#(count + 1),"changes":{"count":\#(count + 1)}}"#)
        #expect(third.granary.end(with: SIGTERM).status == 0)
        withExtendedLifetime(disk) {}
    }
}
