import CLinux
import Glibc
import HTTPServerTesting
import Testing

/// The memory that floods leave allocated. Measured in a separate process, because other tests also allocate memory.
@Suite struct FloodMemoryTests {
    /// Sanitizers have an allocator of their own, so the test is disabled with them.
    private static let isSanitized = dlopen(nil, RTLD_NOW).map { process in
        dlsym(process, "__asan_init") != nil || dlsym(process, "__tsan_init") != nil
    }

    @Test(.disabled(if: isSanitized == true))
    func `floods of every kind leave no memory allocated`() async {
        await #expect(processExitsWith: .success) {
            // The first pass fills the buffers that a loop keeps.
            try FloodMemoryTests.floodAll()
            let before = granary_heap_bytes_in_use()
            precondition(before > 0, "the C library does not count the bytes in use")
            try FloodMemoryTests.floodAll()
            let grown = granary_heap_bytes_in_use() - before
            precondition(grown < 1 << 20, "\(grown) bytes have been kept")
        }
    }

    private static func floodAll() throws {
        for flood in HTTP2TestFlood.all {
            _ = try FloodingClient(.http2).run(flood, over: .http2)
        }
    }
}
