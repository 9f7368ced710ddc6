import CCurl
import Foundation

/// An easy handle of libcurl for one request, and what it needs while the request is in flight.
final class CurlHandle {
    /// libcurl's handle.
    let easy: UnsafeMutableRawPointer
    private let fields: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    /// Creates a handle for a request, whose lines and content go to a receiver.
    init(
        _ request: TransferRequest, line: @escaping curl_write_callback, content: @escaping curl_write_callback,
        receiver: UnsafeMutableRawPointer
    ) throws(TransferFailure) {
        guard let easy = curl_easy_init() else { throw .unreachable("libcurl has no memory") }
        self.easy = easy
        fields = Self.list(request)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.pointee = 0
        try Self.check(granary_curl_set_buffers(easy, fields, errorText))
        try Self.check(granary_curl_set_receiver(easy, line, content, receiver))
        try setOptions()
        try setMethod(request)
        try setTarget(request.url)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        errorText.deallocate()
    }

    /// Sets the URL of the next exchange.
    func setTarget(_ url: URL) throws(TransferFailure) {
        try Self.check(granary_curl_set_text(easy, CURLOPT_URL, url.absoluteString))
    }

    var head: TransferHead {
        var fields: [(name: String, value: String)] = []
        var field = curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, nil)
        while let found = field {
            fields.append((String(cString: found.pointee.name), String(cString: found.pointee.value)))
            field = curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, found)
        }
        return TransferHead(status: granary_curl_status(easy), fields: fields)
    }

    /// Returns the failure that a code of libcurl means; nil for a success.
    func failure(_ code: CURLcode) -> TransferFailure? {
        let detail = String(cString: errorText)
        let text = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        switch code {
        case CURLE_OK: return nil
        case CURLE_URL_MALFORMAT: return .invalidRequest(text)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PROXY,
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_FAILED_INIT:
            return .unreachable(text)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .notHTTP(text)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut
        default: return .cutOff(hasHead: false, text)
        }
    }

    private func setOptions() throws(TransferFailure) {
        try Self.check(granary_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        // All codings that libcurl knows.
        try Self.check(granary_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, ""))
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Otherwise, the end of a transfer waits for the resolver, which may wait for a server for half a minute.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setMethod(_ request: TransferRequest) throws(TransferFailure) {
        if request.method == "HEAD" { return try set(CURLOPT_NOBODY, 1) }
        // A request of these methods has a length even without content (RFC 9110 §8.6).
        if let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil) {
            try Self.check(granary_curl_set_content(easy, body, body.count))
        }
        try Self.check(granary_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method))
    }

    private func set(_ option: CURLoption, _ value: Int) throws(TransferFailure) {
        try Self.check(granary_curl_set_number(easy, option, value))
    }

    private static func check(_ code: CURLcode) throws(TransferFailure) {
        guard code == CURLE_OK else { throw .unreachable(String(cString: curl_easy_strerror(code))) }
    }

    private static func list(_ request: TransferRequest) -> UnsafeMutablePointer<curl_slist>? {
        // libcurl would add these two.
        var lines = ["Expect:"]
        if !request.fields.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
        // A field without a value has a semicolon, because one with a colon is left out.
        lines += request.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        return lines.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
    }
}
