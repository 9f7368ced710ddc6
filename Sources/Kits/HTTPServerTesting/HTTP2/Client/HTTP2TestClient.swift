import CNGHTTP2

/// An HTTP/2 client without I/O, for tests of servers: requests become bytes, and the server's bytes become responses.
/// Confined to one thread.
public final class HTTP2TestClient {
    /// The responses by stream.
    public internal(set) var answers: [Int32: HTTP2TestAnswer] = [:]
    /// The received `GOAWAY` frames, in order, each with the last stream that the server accepts.
    public internal(set) var goAways: [(lastStream: Int32, code: UInt32)] = []
    /// Whether windows are opened automatically as content arrives. Otherwise, only ``openWindow(of:by:)`` opens them.
    public let opensWindows: Bool

    let session: OpaquePointer
    var bodies: [Int32: [UInt8]] = [:]
    /// The trailers of requests that are being sent.
    private var trailers: [Int32: [(String, String)]] = [:]

    /// Creates a client that has sent nothing. `window` is the initial window of a stream.
    public init(window: Int = 65535, opensWindows: Bool = true) {
        self.opensWindows = opensWindows
        let callbacks = HTTP2TestClient.makeCallbacks()
        defer { nghttp2_session_callbacks_del(callbacks) }
        var options: OpaquePointer?
        var session: OpaquePointer?
        guard nghttp2_option_new(&options) == 0 else { preconditionFailure("memory is exhausted: no HTTP/2 session") }
        defer { nghttp2_option_del(options) }
        nghttp2_option_set_no_auto_window_update(options, opensWindows ? 0 : 1)
        guard nghttp2_session_client_new2(&session, callbacks, nil, options) == 0, let session else {
            preconditionFailure("memory is exhausted: no HTTP/2 session")
        }
        self.session = session
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let setting = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(window))
        nghttp2_submit_settings(session, 0, [setting], 1)
    }

    deinit {
        nghttp2_session_del(session)
    }

    /// Sends a request, optionally with trailers.
    ///
    /// - Returns: The stream, which is the key of the response in ``answers``; negative if the server accepts no more
    ///   streams.
    @discardableResult
    public func request(
        _ method: String = "GET", _ path: String = "/", scheme: String = "http", authority: String = "localhost",
        fields: [(String, String)] = [], body: [UInt8]? = nil, trailers: [(String, String)] = []
    ) -> Int32 {
        let pseudo = [(":method", method), (":scheme", scheme), (":authority", authority), (":path", path)]
        var provider = nghttp2_data_provider()
        provider.read_callback = { _, stream, buffer, room, flags, _, user in
            guard let client = HTTP2TestClient.client(user), let buffer, let flags else { return 0 }
            return client.readBody(of: stream, into: buffer, atMost: room, flags)
        }
        let stream = HTTP2TestClient.withEntries(pseudo + fields) { entries, count in
            if body == nil { return nghttp2_submit_request(session, nil, entries, count, nil, nil) }
            return nghttp2_submit_request(session, nil, entries, count, &provider, nil)
        }
        guard stream > 0 else { return stream }
        bodies[stream] = body
        if !trailers.isEmpty { self.trailers[stream] = trailers }
        answers[stream] = HTTP2TestAnswer()
        return stream
    }

    /// Cancels a request.
    public func cancel(_ stream: Int32) {
        nghttp2_submit_rst_stream(session, 0, stream, NGHTTP2_CANCEL.rawValue)
    }

    /// Opens the window of a stream, or of the connection for stream 0.
    public func openWindow(of stream: Int32, by count: Int) {
        nghttp2_submit_window_update(session, 0, stream, Int32(count))
    }

    /// Sends a ping.
    public func ping() {
        nghttp2_submit_ping(session, 0, nil)
    }

    /// Returns the bytes to send, and removes them.
    public func takeOutput() -> [UInt8] {
        var output: [UInt8] = []
        var bytes: UnsafePointer<UInt8>?
        while true {
            let count = nghttp2_session_mem_send(session, &bytes)
            guard count > 0 else { return output }
            output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    /// Processes the server's bytes; returns whether they are valid HTTP/2.
    @discardableResult
    public func receive(_ bytes: [UInt8]) -> Bool {
        bytes.isEmpty || nghttp2_session_mem_recv(session, bytes, bytes.count) >= 0
    }

    /// Whether the connection has ended.
    public var isFinished: Bool {
        nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    private func readBody(
        of stream: Int32, into buffer: UnsafeMutablePointer<UInt8>, atMost room: Int,
        _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        let body = bodies[stream] ?? []
        let count = min(room, body.count)
        for index in 0..<count { buffer[index] = body[index] }
        bodies[stream] = Array(body[count...])
        guard count == body.count else { return count }
        flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
        if let trailers = trailers.removeValue(forKey: stream) {
            flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue)
            _ = HTTP2TestClient.withEntries(trailers) { nghttp2_submit_trailer(session, stream, $0, $1) }
        }
        return count
    }

    private static func withEntries(
        _ fields: [(String, String)], _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Int32
    ) -> Int32 {
        var bytes: [UInt8] = []
        for (name, value) in fields { bytes += Array(name.utf8) + Array(value.utf8) }
        return bytes.withUnsafeMutableBufferPointer { all in
            guard var next = all.baseAddress else { return body(nil, 0) }
            let entries = fields.map { name, value in
                defer { next += name.utf8.count + value.utf8.count }
                return nghttp2_nv(
                    name: next, value: next + name.utf8.count, namelen: name.utf8.count, valuelen: value.utf8.count,
                    flags: 0)
            }
            return body(entries, entries.count)
        }
    }
}
