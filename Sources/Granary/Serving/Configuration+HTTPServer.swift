import HTTP1
import HTTPServer

extension Configuration {
    /// The part that the HTTP server reads, in its words.
    var server: HTTPServerConfiguration {
        var server = HTTPServerConfiguration(host: http.host, port: UInt16(http.port))
        server.loopCount = http.loops
        server.connectionLimit = http.maxConnections
        server.limits.headBytes = http.maxHeadBytes.bytes
        server.limits.fieldCount = http.maxHeaderCount
        server.limits.targetBytes = http.maxTargetBytes.bytes
        server.limits.bodyBytes = http.maxBodyBytes.bytes
        server.allowedHosts = Set(http.allowedHosts)
        server.headTimeout = http.headTimeout
        server.bodyTimeout = http.bodyTimeout
        server.idleTimeout = http.idleTimeout
        server.writeTimeout = http.writeTimeout
        server.drainTimeout = http.drainTimeout
        return server
    }
}
