import Glibc
import HTTP2Testing
import HTTPServerTesting
import Testing

/// The memory that floods leave allocated. Measured in a separate process, because other tests also allocate memory.
@Suite struct FloodMemoryTests {
    /// Sanitizers keep freed memory to detect its use, so the test is disabled with them.
    private static let isSanitized = dlopen(nil, RTLD_NOW).map { process in
        dlsym(process, "__asan_init") != nil || dlsym(process, "__tsan_init") != nil
    }

    @Test(.disabled(if: isSanitized == true))
    func `floods of every kind leave no memory allocated`() async {
        await #expect(processExitsWith: .success) {
            // The first pass fills the allocator's pools and the buffers that a loop keeps.
            try FloodMemoryTests.floodAll()
            let before = FloodMemoryTests.residentBytes
            try FloodMemoryTests.floodAll()
            let grown = FloodMemoryTests.residentBytes - before
            precondition(grown < 4 << 20, "\(grown) bytes have been kept")
        }
    }

    private static func floodAll() throws {
        for flood in HTTP2TestFlood.all {
            _ = try FloodingClient(.http2).run(flood, over: .http2)
        }
    }

    private static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 128)
        let count = fread(&line, 1, line.count, file)
        let text = String(decoding: line.prefix(count), as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }
}
