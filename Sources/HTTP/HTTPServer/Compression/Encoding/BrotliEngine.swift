import CBrotli

final class BrotliEngine: EncodingEngine {
    private let settings: ContentEncoderSettings
    private var state: OpaquePointer

    init(_ settings: ContentEncoderSettings) {
        self.settings = settings
        state = BrotliEngine.makeState(settings)
    }

    deinit {
        BrotliEncoderDestroyInstance(state)
    }

    private static func makeState(_ settings: ContentEncoderSettings) -> OpaquePointer {
        guard let state = BrotliEncoderCreateInstance(nil, nil, nil) else {
            preconditionFailure("memory is exhausted: no brotli encoder")
        }
        let window = settings.windowBits(Int(BROTLI_MIN_WINDOW_BITS)...Int(BROTLI_MAX_WINDOW_BITS))
        BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, UInt32(window))
        BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, UInt32(min(max(settings.brotliQuality, 0), 11)))
        return state
    }

    func encode(_ bytes: UnsafeRawBufferPointer, _ boundary: ContentEncoder.Boundary, into buffer: inout [UInt8]) {
        let operation =
            switch boundary {
            case .none: BROTLI_OPERATION_PROCESS
            case .flush: BROTLI_OPERATION_FLUSH
            case .finish: BROTLI_OPERATION_FINISH
            }
        var left = bytes.count
        var next = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        // With no output buffer, the library keeps its output and returns a pointer to it, which saves a copy.
        var room = 0
        var hasWritten = false
        repeat {
            let result = BrotliEncoderCompressStream(state, operation, &left, &next, &room, nil, nil)
            precondition(result != 0, "an encoder was used after its end, or memory is exhausted")
            hasWritten = takeOutput(into: &buffer)
            // The library may have consumed input without encoding it. It has finished when it has no more output.
        } while left > 0 || hasWritten
    }

    /// Appends the output of the library; returns whether there was any.
    private func takeOutput(into buffer: inout [UInt8]) -> Bool {
        let start = buffer.count
        while BrotliEncoderHasMoreOutput(state) != 0 {
            var count = 0
            guard let output = BrotliEncoderTakeOutput(state, &count), count > 0 else { break }
            buffer.append(contentsOf: UnsafeBufferPointer(start: output, count: count))
        }
        return buffer.count > start
    }

    /// Replaces the library's encoder, which cannot be reset.
    func reset() {
        BrotliEncoderDestroyInstance(state)
        state = BrotliEngine.makeState(settings)
    }
}
