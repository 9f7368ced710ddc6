import HTTP1
import HTTP2

extension HTTPServerConfiguration {
    /// The HTTP/2 limits, with the values that HTTP/1.1 and HTTP/2 have in common.
    var effectiveHTTP2: HTTP2Limits {
        var http2 = http2
        http2.targetBytes = limits.targetBytes
        http2.headBytes = limits.headBytes
        http2.fieldCount = limits.fieldCount
        http2.bodyBytes = limits.bodyBytes
        http2.handshakeTimeout = headTimeout
        http2.headTimeout = headTimeout
        http2.bodyTimeout = bodyTimeout
        http2.bodyRate = bodyRate
        http2.stallTimeout = writeTimeout
        http2.idleTimeout = idleTimeout
        http2.streamReadBytes = streamReadBytes
        return http2
    }
}
