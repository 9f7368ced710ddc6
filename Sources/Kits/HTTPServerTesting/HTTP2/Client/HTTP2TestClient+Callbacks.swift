import CNGHTTP2
import HTTPModel

// Callbacks of the library for the server's frames.
extension HTTP2TestClient {
    static func makeCallbacks() -> OpaquePointer {
        var callbacks: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else {
            preconditionFailure("memory is exhausted: no callbacks for an HTTP/2 session")
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame, let client = HTTP2TestClient.client(user) else { return 0 }
            let stream = frame.pointee.hd.stream_id
            let hasHead = (client.answers[stream]?.status ?? 0) >= 200
            client.answers[stream]?.isInTrailers = hasHead
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, valueCount, _, user in
            guard let frame, let client = HTTP2TestClient.client(user) else { return 0 }
            client.fieldCame(
                on: frame.pointee.hd.stream_id, UnsafeRawBufferPointer(start: name, count: nameCount),
                UnsafeRawBufferPointer(start: value, count: valueCount))
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, user in
            HTTP2TestClient.client(user)?.answers[stream]?.body.append(
                contentsOf: UnsafeBufferPointer(start: bytes, count: count))
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let frame, let client = HTTP2TestClient.client(user) else { return 0 }
            client.frameCame(frame.pointee)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, user in
            guard let client = HTTP2TestClient.client(user) else { return 0 }
            client.answers[stream]?.isClosed = true
            client.bodies[stream] = nil
            return 0
        }
        return callbacks
    }

    static func client(_ user: UnsafeMutableRawPointer?) -> HTTP2TestClient? {
        user.map { Unmanaged<HTTP2TestClient>.fromOpaque($0).takeUnretainedValue() }
    }

    private func fieldCame(on stream: Int32, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let text = String(decoding: value, as: UTF8.self)
        if String(decoding: name, as: UTF8.self) == ":status" {
            if let interim = answers[stream]?.status { answers[stream]?.interim.append(interim) }
            answers[stream]?.status = Int(text)
        } else if answers[stream]?.isInTrailers == true {
            answers[stream]?.trailers.append(checkedName: name, checkedValue: value)
        } else {
            answers[stream]?.fields.append(checkedName: name, checkedValue: value)
        }
    }

    private func frameCame(_ frame: nghttp2_frame) {
        let stream = frame.hd.stream_id
        switch UInt32(frame.hd.type) {
        case NGHTTP2_RST_STREAM.rawValue: answers[stream]?.resetCode = frame.rst_stream.error_code
        case NGHTTP2_GOAWAY.rawValue: goAways.append((frame.goaway.last_stream_id, frame.goaway.error_code))
        case NGHTTP2_DATA.rawValue, NGHTTP2_HEADERS.rawValue:
            if frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { answers[stream]?.isWhole = true }
        default: break
        }
    }
}
