import HTTPModel

/// `/large`: `?bytes=` bytes of content, generated while it is sent, so that its size does not affect memory. The byte
/// at each offset is the offset modulo 251, so that a reader can detect missing and duplicated bytes.
final class LargeBody: HTTPBodyStream {
    private static let period = 251
    // Two periods, so that a part of one period is contiguous wherever it begins.
    private static let pattern = (0..<(2 * period)).map { UInt8($0 % period) }

    private var offset = 0
    private let count: Int

    init(count: Int) {
        self.count = count
    }

    static func response(to request: HTTPRequest) throws(ProblemDetails) -> HTTPResponse {
        let count = try request.count("bytes", in: 0...(1 << 30), default: 16 << 20)
        return HTTPResponse(
            status: .ok,
            fields: [
                .contentType: "application/octet-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ], body: .stream(LargeBody(count: count)))
    }

    func start(_ consumer: any HTTPBodyConsumer) {}

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        let end = min(count, offset + limit)
        while offset < end {
            let start = offset % LargeBody.period
            let part = min(LargeBody.period, end - offset)
            buffer.append(contentsOf: LargeBody.pattern[start..<(start + part)])
            offset += part
        }
        return offset == count ? .finished : .more
    }

    func stop() {}
}
