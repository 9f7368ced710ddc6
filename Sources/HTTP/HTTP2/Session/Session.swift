import CNGHTTP2

/// The library's state of one connection: the only owner of its pointer, which is freed with it.
///
/// A session has no knowledge of requests. The library's callbacks go to the endpoint, which is set once and has to
/// live as long as the session is used.
final class Session {
    enum Side { case client, server }

    let pointer: OpaquePointer
    private let account: UnsafeMutablePointer<SessionMemory.Account>

    init(_ side: Side, limits: HTTP2Limits) {
        let callbacks = Session.makeCallbacks(side)
        let options = Session.makeOptions(limits)
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        account = .allocate(capacity: 1)
        account.initialize(to: SessionMemory.Account())
        var memory = SessionMemory.functions(account)
        var session: OpaquePointer?
        let create = side == .server ? nghttp2_session_server_new3 : nghttp2_session_client_new3
        guard create(&session, callbacks, nil, options, &memory) == 0, let session else {
            preconditionFailure("memory is exhausted: no HTTP/2 session")
        }
        pointer = session
    }

    deinit {
        nghttp2_session_del(pointer)
        account.deallocate()
    }

    func setEndpoint(_ endpoint: HTTP2Endpoint) {
        // Unretained: the endpoint owns the session, so a reference back would keep both alive forever.
        nghttp2_session_set_user_data(pointer, Unmanaged.passUnretained(endpoint).toOpaque())
    }

    private static func makeOptions(_ limits: HTTP2Limits) -> OpaquePointer {
        var options: OpaquePointer?
        guard nghttp2_option_new(&options) == 0, let options else {
            preconditionFailure("memory is exhausted: no options for an HTTP/2 session")
        }
        // Windows are opened when content has been processed, not when it is received: flow control must slow a peer
        // down.
        nghttp2_option_set_no_auto_window_update(options, 1)
        // Messages are checked by `RequestHead` and `ResponseHead`, so that every error has a name and is one of its
        // stream.
        nghttp2_option_set_no_http_messaging(options, 1)
        // Closed streams are kept only for RFC 7540 priorities, which are not used.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_outbound_ack(options, limits.queuedFrames)
        // The library counts its calls while it waits for such a frame, so a frame that arrives byte by byte would
        // exceed the limit. `FrameMeter` counts frames.
        nghttp2_option_set_max_continuations(options, Int(Int32.max))
        // The connection counts resets, since it can tell which of them caused work.
        nghttp2_option_set_stream_reset_rate_limit(options, UInt64(UInt32.max), UInt64(UInt32.max))
        return options
    }

    /// Announces the limits: the first frame that is sent. A client accepts no streams of its server.
    func submitSettings(_ limits: HTTP2Limits, _ side: Side) {
        let streams =
            side == .server
            ? (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.concurrentStreams) : (NGHTTP2_SETTINGS_ENABLE_PUSH, 0)
        let entries = [
            streams,
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, min(limits.streamWindow, Int(Int32.max))),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.headBytes),
            // Streams share the connection in turns (RFC 9218). The dependency tree of RFC 7540 is deprecated, and its
            // frames are ignored.
            (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
        ].map { id, value in nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value)) }
        check(nghttp2_submit_settings(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count))
        let window = Int32(clamping: limits.connectionWindow)
        check(nghttp2_session_set_local_window_size(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, window))
    }

    /// Submitting fails if memory is exhausted, or if the stream's state does not permit the frame, for example because
    /// it ended while the response was produced. The latter is expected and ignored.
    func check(_ result: Int32) {
        precondition(result != NGHTTP2_ERR_NOMEM.rawValue, "memory is exhausted: no HTTP/2 frame")
    }

    var wantsToRead: Bool { nghttp2_session_want_read(pointer) != 0 }

    var wantsToWrite: Bool { nghttp2_session_want_write(pointer) != 0 }

    /// Releases memory that is not needed until there is something to send.
    func rest() {
        if !wantsToWrite { SessionMemory.shared.rest(account) }
    }

    /// The number of queued frames, except those with content.
    var queuedFrames: Int { nghttp2_session_get_outbound_queue_size(pointer) }

    /// The number of bytes that the peer accepts on all streams together.
    var window: Int { Int(nghttp2_session_get_remote_window_size(pointer)) }

    /// Returns the number of bytes that the peer accepts on a stream.
    func window(of stream: Int32) -> Int {
        Int(nghttp2_session_get_stream_remote_window_size(pointer, stream))
    }

    /// The number of streams that the peer accepts at the same time. Before its settings arrive, the library assumes 100.
    var peersStreams: Int {
        Int(nghttp2_session_get_remote_settings(pointer, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// The size of a head that the peer accepts (RFC 9113 §6.5.2), or that the library sends if that is less.
    var peersHeadBytes: Int {
        let limit = nghttp2_session_get_remote_settings(pointer, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE)
        return min(Int(limit), 64 << 10)
    }

    /// Makes a stream share the connection with the others in turns, each with the same number of bytes.
    func shareByTurns(_ stream: Int32) {
        var priority = nghttp2_extpri(urgency: UInt32(NGHTTP2_EXTPRI_DEFAULT_URGENCY), inc: 1)
        check(nghttp2_session_change_extpri_stream_priority(pointer, stream, &priority, 1))
    }

    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        check(nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue))
    }

    /// Opens the windows of a stream and of the connection again, because content was processed.
    func consume(_ count: Int, of stream: Int32) { check(nghttp2_session_consume(pointer, stream, count)) }

    /// Opens only the window of the connection again.
    func consume(_ count: Int) { check(nghttp2_session_consume_connection(pointer, count)) }

    /// Continues with the content of a response for which the library keeps nothing.
    func submitContent(of stream: Int32) {
        var provider = Session.makeDataProvider()
        check(nghttp2_submit_data(pointer, UInt8(NGHTTP2_FLAG_END_STREAM.rawValue), stream, &provider))
    }

    func resume(_ stream: Int32) {
        check(nghttp2_session_resume_data(pointer, stream))
    }

    /// Sends the reason to the peer and ignores all later frames.
    func terminate(_ code: HTTP2ErrorCode) {
        check(nghttp2_session_terminate_session(pointer, code.rawValue))
    }

    /// Sends a ping, which the peer has to acknowledge.
    func submitPing() { check(nghttp2_submit_ping(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)) }

    /// Asks the peer to open no more streams, while those in flight are still accepted (RFC 9113 §6.8). A ping follows.
    /// Its acknowledgement shows that the peer has received the notice.
    func submitDrainNotice() {
        check(nghttp2_submit_shutdown_notice(pointer))
        submitPing()
    }

    /// Announces the last stream that is accepted.
    func submitLastStream() {
        let last = nghttp2_session_get_last_proc_stream_id(pointer)
        check(
            nghttp2_submit_goaway(
                pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, HTTP2ErrorCode.noError.rawValue, nil, 0))
    }
}
