import HTTP1
import HTTP2
import HTTPServer

extension Configuration {
    /// The part that the HTTP server reads, in its words.
    var server: HTTPServerConfiguration {
        var server = HTTPServerConfiguration(host: http.host, port: UInt16(http.port))
        server.listeners = http.listeners
        server.loopCount = http.loops
        server.sharesThreads = http.sharesThreads
        server.connectionLimit = http.maxConnections
        server.connectionsPerClient = http.maxConnectionsPerClient == 0 ? nil : http.maxConnectionsPerClient
        server.newConnectionsPerClient = http.maxNewConnectionsPerClient == 0 ? nil : http.maxNewConnectionsPerClient
        server.proxies = http.proxies.compactMap { AddressRange($0) }
        server.limits.headBytes = http.maxHeadBytes.bytes
        server.limits.fieldCount = http.maxHeaderCount
        server.limits.targetBytes = http.maxTargetBytes.bytes
        server.limits.bodyBytes = http.maxBodyBytes.bytes
        server.allowedHosts = Set(http.allowedHosts)
        server.preventsRebinding = true
        server.headTimeout = http.headTimeout
        server.bodyTimeout = http.bodyTimeout
        server.idleTimeout = http.idleTimeout
        server.answerTimeout = http.answerTimeout
        server.writeTimeout = http.writeTimeout
        server.drainTimeout = http.drainTimeout
        server.compression = compression.server
        server.servesHTTP2 = http2.cleartext
        server.http2 = http2.limits
        return server
    }
}

extension Configuration.HTTP2 {
    /// The limits that are HTTP/2's own, in its words.
    var limits: HTTP2Limits {
        var limits = HTTP2Limits()
        limits.concurrentStreams = maxStreams
        limits.unfinishedBodyBytes = maxUnfinishedBodyBytes.bytes
        limits.headerBlockBytes = maxHeaderBlockBytes.bytes
        limits.continuationFrames = maxContinuations
        limits.queuedFrames = maxQueuedFrames
        limits.worklessFrames = maxWorklessFrames
        limits.worklessFramesPerSecond = worklessFramesPerSecond
        limits.resets = maxResets
        limits.resetsPerSecond = resetsPerSecond
        limits.maximumAge = maxAge
        return limits
    }
}
