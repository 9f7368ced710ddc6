import CBrotli

/// The brotli library's encoder.
final class BrotliEngine: EncodingEngine {
    private let settings: ContentEncoderSettings
    private var meter: MemoryMeter
    private var state: OpaquePointer

    init(_ settings: ContentEncoderSettings) {
        self.settings = settings
        meter = MemoryMeter()
        state = BrotliEngine.makeState(settings, meter)
    }

    deinit {
        BrotliEncoderDestroyInstance(state)
    }

    private static func makeState(_ settings: ContentEncoderSettings, _ meter: MemoryMeter) -> OpaquePointer {
        let state = BrotliEncoderCreateInstance(
            { MemoryMeter.allocate($0, $1) }, { MemoryMeter.free($0, $1) }, meter.opaque)
        guard let state else { preconditionFailure("there is no memory for another encoder of brotli") }
        let window = settings.windowBits(Int(BROTLI_MIN_WINDOW_BITS)...Int(BROTLI_MAX_WINDOW_BITS))
        BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, UInt32(window))
        BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, UInt32(min(max(settings.brotliQuality, 0), 11)))
        return state
    }

    var heldBytes: Int { meter.heldBytes }

    func encode(_ bytes: UnsafeRawBufferPointer, _ boundary: ContentEncoder.Boundary, into buffer: inout [UInt8]) {
        let operation =
            switch boundary {
            case .none: BROTLI_OPERATION_PROCESS
            case .flush: BROTLI_OPERATION_FLUSH
            case .finish: BROTLI_OPERATION_FINISH
            }
        var left = bytes.count
        var next = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        // Without room to write to, the library keeps what it makes and lends it.
        var room = 0
        var hasWritten = false
        repeat {
            let result = BrotliEncoderCompressStream(state, operation, &left, &next, &room, nil, nil)
            precondition(result != 0, "an encoder was used after its end, or there is no memory for it")
            hasWritten = takeOutput(into: &buffer)
            // What it has taken it may not have coded yet; it is done once it has nothing more to say.
        } while left > 0 || hasWritten
    }

    /// Moves what the library has made; answers whether there was any.
    private func takeOutput(into buffer: inout [UInt8]) -> Bool {
        let start = buffer.count
        while BrotliEncoderHasMoreOutput(state) != 0 {
            var count = 0
            guard let output = BrotliEncoderTakeOutput(state, &count), count > 0 else { break }
            buffer.append(contentsOf: UnsafeBufferPointer(start: output, count: count))
        }
        return buffer.count > start
    }

    /// The library cannot start anew.
    func reset() {
        BrotliEncoderDestroyInstance(state)
        meter = MemoryMeter()
        state = BrotliEngine.makeState(settings, meter)
    }
}
