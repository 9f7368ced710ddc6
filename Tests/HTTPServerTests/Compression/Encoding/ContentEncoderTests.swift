import CLinux
import Glibc
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct ContentEncoderTests {
    private static let contents: [[UInt8]] = [
        [], [7], Array("hello".utf8), Array(String(repeating: "the same again, ", count: 20_000).utf8),
        noise(300_000),
    ]

    /// Incompressible bytes, the same in every run.
    static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 42
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    static func event(_ number: Int) -> [UInt8] {
        Array("event: change\nid: 4kd.\(number)\ndata: {\"count\":\"\(number)\",\"isOn\":true}\n\n".utf8)
    }

    @Test(arguments: ContentCoding.allCases, contents)
    func `encoded content decodes to the original`(_ coding: ContentCoding, _ content: [UInt8]) throws {
        let coded = ContentEncoder.encode(content, coding)
        #expect(try ContentDecoder.decode(coded, coding) == content)
    }

    @Test(arguments: ContentCoding.allCases)
    func `repetitive content becomes small`(_ coding: ContentCoding) {
        let content = Array(String(repeating: "the same again, ", count: 1000).utf8)
        #expect(ContentEncoder.encode(content, coding).count < content.count / 50)
    }

    @Test(arguments: ContentCoding.allCases)
    func `flushed content can be decoded immediately, as part of one content`(_ coding: ContentCoding) throws {
        let encoder = ContentEncoder(coding, settings: .stream(windowBytes: 4096))
        let decoder = ContentDecoder(coding)
        for number in 0..<500 {
            var coded: [UInt8] = []
            encoder.encode(Self.event(number), .flush, into: &coded)
            #expect(!coded.isEmpty)
            var decoded: [UInt8] = []
            try decoder.decode(coded, into: &decoded)
            #expect(decoded == Self.event(number))
        }
        #expect(!decoder.isFinished)
        var end: [UInt8] = []
        encoder.encode([], .finish, into: &end)
        var rest: [UInt8] = []
        try decoder.decode(end, into: &rest)
        #expect(rest.isEmpty && decoder.isFinished)
    }

    @Test(arguments: ContentCoding.allCases)
    func `earlier content of a stream improves the compression of later content`(_ coding: ContentCoding) {
        let encoder = ContentEncoder(coding, settings: .stream(windowBytes: 4096))
        var first: [UInt8] = []
        encoder.encode(Self.event(1), .flush, into: &first)
        var second: [UInt8] = []
        encoder.encode(Self.event(2), .flush, into: &second)
        #expect(second.count < first.count / 2)
    }

    @Test(arguments: ContentCoding.allCases)
    func `content that is not flushed may be buffered, but is not lost`(_ coding: ContentCoding) throws {
        let encoder = ContentEncoder(coding)
        var coded: [UInt8] = []
        for number in 0..<100 { encoder.encode(Self.event(number), .none, into: &coded) }
        encoder.encode([], .finish, into: &coded)
        #expect(try ContentDecoder.decode(coded, coding) == (0..<100).flatMap(Self.event))
    }

    @Test(arguments: ContentCoding.allCases)
    func `a reset encoder starts a new content`(_ coding: ContentCoding) throws {
        let encoder = ContentEncoder(coding)
        for number in 0..<3 {
            var coded: [UInt8] = []
            encoder.encode(Self.event(number), .finish, into: &coded)
            #expect(try ContentDecoder.decode(coded, coding) == Self.event(number))
            encoder.reset()
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func `a reset before the end discards buffered content`(_ coding: ContentCoding) throws {
        let encoder = ContentEncoder(coding)
        var lost: [UInt8] = []
        encoder.encode(Self.event(1), .flush, into: &lost)
        encoder.reset()
        var coded: [UInt8] = []
        encoder.encode(Self.event(2), .finish, into: &coded)
        #expect(try ContentDecoder.decode(coded, coding) == Self.event(2))
    }

    /// Sanitizers have an allocator of their own, so the test is disabled with them.
    private static let isSanitized = dlopen(nil, RTLD_NOW).map { process in
        dlsym(process, "__asan_init") != nil || dlsym(process, "__tsan_init") != nil
    }

    // In a separate process, because other tests also allocate memory.
    @Test(.disabled(if: isSanitized == true))
    func `an open stream uses no more memory than its window allows, however long it is`() async {
        await #expect(processExitsWith: .success) {
            // The figures that are documented for operators.
            let bounds: [(ContentCoding, window: Int, atMost: Int)] = [
                (.gzip, 1 << 10, 14 << 10), (.gzip, 4 << 10, 26 << 10), (.gzip, 32 << 10, 138 << 10),
                (.brotli, 1 << 10, 424 << 10), (.brotli, 4 << 10, 424 << 10), (.brotli, 32 << 10, 456 << 10),
            ]
            for (coding, window, atMost) in bounds {
                // The first pass allocates what the process keeps.
                _ = ContentEncoderTests.bytesPerStream(coding, window)
                let bytes = ContentEncoderTests.bytesPerStream(coding, window)
                // The library's memory, and the objects of the encoder.
                precondition(
                    (1...atMost + 1024).contains(bytes), "\(coding) with a window of \(window) holds \(bytes) bytes")
            }
        }
    }

    private static func bytesPerStream(_ coding: ContentCoding, _ window: Int) -> Int {
        let count = 8
        let before = Int(granary_heap_bytes_in_use())
        let encoders = (0..<count).map { _ in ContentEncoder(coding, settings: .stream(windowBytes: window)) }
        var peak = 0
        for number in 0..<2000 {
            let content = number.isMultiple(of: 50) ? noise(8192) : event(number)
            for encoder in encoders {
                var coded: [UInt8] = []
                encoder.encode(content, .flush, into: &coded)
            }
            peak = max(peak, Int(granary_heap_bytes_in_use()) - before)
        }
        return peak / count
    }
}
