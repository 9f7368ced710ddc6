import CNGHTTP2

// Callbacks of the library while it reads and produces frames. Their pointers are valid only until a callback returns.
extension Session {
    static func makeCallbacks(_ side: Side) -> OpaquePointer {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else {
            preconditionFailure("memory is exhausted: no callbacks for an HTTP/2 session")
        }
        setReceivingCallbacks(callbacks)
        setSendingCallbacks(callbacks)
        if side == .client { setClientCallback(callbacks) }
        return callbacks
    }

    private static func setReceivingCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, head, user in
            guard let head else { return 0 }
            Session.withEndpoint(user) {
                $0.frameBegins(BegunFrame(head.pointee), on: head.pointee.stream_id)
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            let isRequest = frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
            Session.withEndpoint(user) { $0.fieldsBegin(on: frame.pointee.hd.stream_id, isRequest: isRequest) }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, valueCount, _, user in
            guard let frame else { return 0 }
            Session.withEndpoint(user) {
                $0.fieldReceived(
                    on: frame.pointee.hd.stream_id, UnsafeRawBufferPointer(start: name, count: nameCount),
                    UnsafeRawBufferPointer(start: value, count: valueCount))
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, user in
            Session.withEndpoint(user) {
                $0.contentReceived(on: stream, UnsafeRawBufferPointer(start: bytes, count: count))
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            Session.withEndpoint(user) { $0.frameReceived(ReceivedFrame(frame.pointee)) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, user in
            Session.withEndpoint(user) { $0.streamClosed(stream, HTTP2ErrorCode(rawValue: code)) }
            return 0
        }
    }

    private static func setSendingCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            Session.withEndpoint(user) { $0.frameWasSent(SentFrame(frame.pointee)) }
            return 0
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, frame, head, count, _, user in
            guard let frame, let head else { return 0 }
            let isFull = Session.withEndpoint(user) {
                $0.sendContent(
                    of: frame.pointee.hd.stream_id, head: UnsafeRawBufferPointer(start: head, count: 9), count: count)
            }
            return isFull == true ? NGHTTP2_ERR_PAUSE.rawValue : 0
        }
    }

    private static func setClientCallback(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) { _, frame, user in
            guard let frame, UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue else { return 0 }
            Session.withEndpoint(user) { $0.headWillBeSent(on: frame.pointee.hd.stream_id) }
            return 0
        }
    }

    /// Returns the provider through which the library reads the content of streams.
    static func makeDataProvider() -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.read_callback = { _, stream, _, room, flags, _, user in
            guard let flags else { return 0 }
            let count = Session.withEndpoint(user) { endpoint -> Int in
                switch endpoint.readContent(of: stream, atMost: room) {
                case .bytes(let count, let isLast, let hasTrailers):
                    // The library then calls `send_data_callback` with the frame's header instead of copying the content,
                    // so that the content is copied only once, into the output.
                    flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_NO_COPY.rawValue)
                    guard isLast else { return count }
                    flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
                    if hasTrailers, endpoint.submitTrailers(of: stream) {
                        flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue)
                    }
                    return count
                case .later: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
                case .rest:
                    // The end of this content and not of the stream: the library releases the content, and sends no frame for it.
                    flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue | NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue)
                    return 0
                }
            }
            return count ?? 0
        }
        return provider
    }

    /// Calls a closure with the endpoint of a session; returns nil if none exists. The endpoint is not retained: it
    /// called the library, which calls back, so its caller has a reference to it.
    @inline(__always) @discardableResult
    private static func withEndpoint<Result>(
        _ user: UnsafeMutableRawPointer?, _ body: (HTTP2Endpoint) -> Result
    ) -> Result? {
        user.map { Unmanaged<HTTP2Endpoint>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }
}

/// The relevant properties of a frame whose header has been received.
enum BegunFrame {
    case head
    case settings
    case pushPromise
    case other

    init(_ head: nghttp2_frame_hd) {
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue: self = .head
        case NGHTTP2_SETTINGS.rawValue: self = .settings
        case NGHTTP2_PUSH_PROMISE.rawValue: self = .pushPromise
        default: self = .other
        }
    }
}

/// The relevant properties of a received frame.
enum ReceivedFrame {
    case fields(Int32, isRequest: Bool, endsStream: Bool)
    case content(Int32, endsStream: Bool)
    case reset(Int32)
    case settings
    case pingAcknowledged
    case goAway(HTTP2ErrorCode)
    case other

    init(_ frame: nghttp2_frame) {
        let head = frame.hd
        let endsStream = head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        let isAnswer = head.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            let isRequest = frame.headers.cat == NGHTTP2_HCAT_REQUEST
            self = .fields(head.stream_id, isRequest: isRequest, endsStream: endsStream)
        case NGHTTP2_DATA.rawValue: self = .content(head.stream_id, endsStream: endsStream)
        case NGHTTP2_RST_STREAM.rawValue: self = .reset(head.stream_id)
        case NGHTTP2_SETTINGS.rawValue where !isAnswer: self = .settings
        case NGHTTP2_PING.rawValue where isAnswer: self = .pingAcknowledged
        case NGHTTP2_GOAWAY.rawValue: self = .goAway(HTTP2ErrorCode(rawValue: frame.goaway.error_code))
        default: self = .other
        }
    }
}

/// The relevant properties of a sent frame.
enum SentFrame {
    case fields(Int32, endsStream: Bool)
    case content(Int32, endsStream: Bool)
    case reset(Int32)
    case goAway(HTTP2ErrorCode)
    case other

    init(_ frame: nghttp2_frame) {
        let endsStream = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(frame.hd.type) {
        case NGHTTP2_HEADERS.rawValue: self = .fields(frame.hd.stream_id, endsStream: endsStream)
        case NGHTTP2_DATA.rawValue: self = .content(frame.hd.stream_id, endsStream: endsStream)
        case NGHTTP2_RST_STREAM.rawValue: self = .reset(frame.hd.stream_id)
        case NGHTTP2_GOAWAY.rawValue: self = .goAway(HTTP2ErrorCode(rawValue: frame.goaway.error_code))
        default: self = .other
        }
    }
}
