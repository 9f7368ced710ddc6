import CNGHTTP2

/// The library's state of one connection: the only owner of its pointer, freed with it.
///
/// It knows nothing of requests. What the library finds in the peer's bytes it tells the connection, which is set once
/// and has to live as long as the session is used.
final class Session {
    let pointer: OpaquePointer
    private let account: UnsafeMutablePointer<SessionMemory.Account>

    init(limits: HTTP2Limits) {
        let callbacks = Session.makeCallbacks()
        let options = Session.makeOptions(limits)
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        account = .allocate(capacity: 1)
        account.initialize(to: SessionMemory.Account())
        var memory = SessionMemory.functions(account)
        var session: OpaquePointer?
        guard nghttp2_session_server_new3(&session, callbacks, nil, options, &memory) == 0, let session else {
            preconditionFailure("there is no memory for another session of HTTP/2")
        }
        pointer = session
    }

    deinit {
        nghttp2_session_del(pointer)
        account.deallocate()
    }

    func setConnection(_ connection: HTTP2Connection) {
        nghttp2_session_set_user_data(pointer, Unmanaged.passUnretained(connection).toOpaque())
    }

    private static func makeOptions(_ limits: HTTP2Limits) -> OpaquePointer {
        var options: OpaquePointer?
        guard nghttp2_option_new(&options) == 0, let options else {
            preconditionFailure("there is no memory for the options of a session")
        }
        // Windows open again when the content has been taken, not when it has come.
        nghttp2_option_set_no_auto_window_update(options, 1)
        // Messages are checked here, so that every error has its name and is a stream error.
        nghttp2_option_set_no_http_messaging(options, 1)
        // Streams that have ended are kept only for priorities, which are not used.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_outbound_ack(options, limits.queuedFrames)
        // The library counts how often it is called while it waits for such a frame, so that one that comes byte by byte is
        // too many for it. The meter counts frames.
        nghttp2_option_set_max_continuations(options, Int(Int32.max))
        // Resets are counted by the connection, which knows those that cost nothing from those that do.
        nghttp2_option_set_stream_reset_rate_limit(options, UInt64(UInt32.max), UInt64(UInt32.max))
        return options
    }

    /// Announces what the server bears. The first thing that is sent.
    func submitSettings(_ limits: HTTP2Limits) {
        let entries = [
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.concurrentStreams),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, min(limits.streamWindow, Int(Int32.max))),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.headBytes),
            // Streams share by turns (RFC 9218); the tree of RFC 7540 is gone, and its frames are ignored.
            (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
        ].map { id, value in nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value)) }
        check(nghttp2_submit_settings(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count))
        let window = Int32(clamping: limits.connectionWindow)
        check(nghttp2_session_set_local_window_size(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, window))
    }

    /// Submitting fails for want of memory, or because it makes no sense in the state of the stream, which may have ended
    /// while the answer was made. Only the first is worth a word, and then there is nobody left to say it to.
    func check(_ result: Int32) {
        precondition(result != NGHTTP2_ERR_NOMEM.rawValue, "there is no memory for a frame of HTTP/2")
    }

    var wantsToRead: Bool { nghttp2_session_want_read(pointer) != 0 }

    var wantsToWrite: Bool { nghttp2_session_want_write(pointer) != 0 }

    /// Lets go of memory that is of no use until there is something to send.
    func rest() {
        if !wantsToWrite { SessionMemory.shared.rest(account) }
    }

    /// Frames that wait to be sent, those with content left out.
    var queuedFrames: Int { nghttp2_session_get_outbound_queue_size(pointer) }

    /// The bytes that the peer still takes on all streams together.
    var window: Int { Int(nghttp2_session_get_remote_window_size(pointer)) }

    /// The bytes that the peer still takes on one stream.
    func window(of stream: Int32) -> Int {
        Int(nghttp2_session_get_stream_remote_window_size(pointer, stream))
    }

    /// Has a stream share with the others by turns, each getting as many bytes as the next.
    func shareByTurns(_ stream: Int32) {
        var priority = nghttp2_extpri(urgency: UInt32(NGHTTP2_EXTPRI_DEFAULT_URGENCY), inc: 1)
        check(nghttp2_session_change_extpri_stream_priority(pointer, stream, &priority, 1))
    }

    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        check(nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue))
    }

    func resume(_ stream: Int32) {
        check(nghttp2_session_resume_data(pointer, stream))
    }

    /// Tells the peer why, and ignores all that comes from now on.
    func terminate(_ code: HTTP2ErrorCode) {
        check(nghttp2_session_terminate_session(pointer, code.rawValue))
    }

    /// Asks the peer to open no more streams, while those on their way are still taken (RFC 9113 §6.8), and for an answer
    /// that shows when it has heard.
    func submitDrainNotice() {
        check(nghttp2_submit_shutdown_notice(pointer))
        check(nghttp2_submit_ping(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil))
    }

    /// Tells the peer which stream was the last.
    func submitLastStream() {
        let last = nghttp2_session_get_last_proc_stream_id(pointer)
        check(
            nghttp2_submit_goaway(
                pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, HTTP2ErrorCode.noError.rawValue, nil, 0))
    }
}
