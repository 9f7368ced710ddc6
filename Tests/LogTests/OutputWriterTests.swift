import Foundation
import Testing

@testable import Log

struct OutputWriterTests {
    /// The two ends of a pipe. The test closes them.
    private struct Ends {
        let reader: Int32
        let writer: Int32

        init() throws {
            // A named pipe, because `pipe` cannot set close-on-exec atomically, and other tests start processes.
            let path = "/tmp/granary-\(UUID().uuidString)"
            try #require(mkfifo(path, 0o600) == 0)
            defer { unlink(path) }
            reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            writer = open(path, O_WRONLY | O_CLOEXEC)
            try #require(reader >= 0 && writer >= 0 && fcntl(reader, F_SETFL, 0) == 0)
        }

        /// Fills the pipe as if its reader had stalled, and returns the number of bytes written.
        func fill() -> Int {
            _ = fcntl(writer, F_SETFL, O_NONBLOCK)
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
            var count = 0
            while case let written = write(writer, bytes, bytes.count), written > 0 { count += written }
            return count
        }

        /// Reads until `count` bytes have arrived or the other end is closed.
        func read(_ count: Int) -> String {
            var result: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while result.count < count, case let got = Glibc.read(reader, &buffer, buffer.count), got > 0 {
                result += buffer[..<got]
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    init() { signal(SIGPIPE, SIG_IGN) }

    @Test func `lines of any length are written in order`() throws {
        let ends = try Ends()
        let writer = OutputWriter(descriptor: ends.writer)
        let lines = (0..<400).map { String(repeating: "\($0)", count: $0 % 7 * 30) + "\n" }
        let long = String(repeating: "long", count: 5_000) + "\n"
        for line in lines { writer.write(line) }
        writer.write(long)
        let expected = lines.joined() + long
        #expect(ends.read(expected.utf8.count) == expected)
        #expect(writer.flush(within: .seconds(600)))
        #expect(writer.error == nil)
        close(ends.writer)
        #expect(ends.read(1) == "")
        close(ends.reader)
    }

    @Test(arguments: [true, false])
    func `a stalled reader does not block writers, and later reads the number of dropped lines`(_ blocks: Bool) throws {
        let ends = try Ends()
        let filled = ends.fill()
        if blocks { _ = fcntl(ends.writer, F_SETFL, 0) }
        let writer = OutputWriter(descriptor: ends.writer, capacity: 100) { "\($0) lost\n" }
        for number in 100..<200 { writer.write("line \(number)\n") }
        #expect(!writer.flush(within: .milliseconds(1)))
        let expected = (100..<111).map { "line \($0)\n" }.joined() + "89 lost\n"
        #expect(ends.read(filled + expected.utf8.count).dropFirst(filled) == expected)
        #expect(writer.flush(within: .seconds(600)))
        close(ends.reader)
        close(ends.writer)
    }

    @Test func `a closed pipe, a full disk and a closed descriptor are recorded as errors`() throws {
        let ends = try Ends()
        close(ends.reader)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        let reasons = [(ends.writer, EPIPE), (full, ENOSPC), (-1, EBADF)]
        for (descriptor, reason) in reasons {
            let writer = OutputWriter(descriptor: descriptor)
            writer.write("a\n")
            writer.write("b\n")
            #expect(writer.flush(within: .seconds(600)))
            #expect(writer.error == reason)
        }
        close(ends.writer)
        close(full)
    }

    @Test func `a log that is flushed writes the number of suppressed events`() throws {
        let ends = try Ends()
        let log = Log(
            writingTo: OutputWriter(descriptor: ends.writer, report: LogFormat.text.reportOfDropped), level: .info,
            format: .text
        ) { sink in
            LimitedEvents(now: { 0 }, schedule: { _, _ in }, sink: sink)
        }
        for _ in 0..<20 { log.limited(.info, "ended", ["reason": "flood"]) }
        log.limited(.debug, "below the level")
        log(.info, "stopped")
        log.flush(within: .seconds(600))
        close(ends.writer)
        let lines = ends.read(.max).split(separator: "\n").map {
            $0.split(separator: " ").dropFirst(2).joined(separator: " ")
        }
        #expect(lines == [String](repeating: "ended reason=flood", count: 5) + ["stopped", "ended suppressed=15"])
        close(ends.reader)
    }
}
