import MachineHost

extension Configuration {
    /// The part that the host of sessions reads, in its words.
    var host: HostConfiguration {
        var host = HostConfiguration()
        host.maxSessions = sessions.maxSessions
        host.maxSessionsPerClient = sessions.maxSessionsPerClient == 0 ? nil : sessions.maxSessionsPerClient
        host.maxNewSessionsPerClient = sessions.maxNewSessionsPerClient == 0 ? nil : sessions.maxNewSessionsPerClient
        host.maxStreams = sessions.maxStreams
        host.maxStreamsPerSession = sessions.maxStreamsPerSession
        host.idleExpiry = sessions.idleExpiry
        host.historyChanges = sessions.historyChanges
        host.historyBytes = sessions.historyBytes.bytes
        host.idempotencyKeys = sessions.idempotencyKeys
        host.idempotencyWindow = sessions.idempotencyWindow
        host.maxOutputBytes = sessions.maxOutputBytes.bytes
        host.maxSessionBytes = sessions.maxSessionBytes.bytes
        host.maxBytes = sessions.maxBytes.bytes
        host.idempotencyBytes = sessions.idempotencyBytes.bytes
        host.creationKeys = sessions.creationKeys
        host.turnsInARow = sessions.turnsInARow
        host.turnWarning = sessions.turnWarning
        host.keepAlive = stream.keepAlive
        host.retry = stream.retry
        host.streamLifetime = stream.lifetime
        return host
    }
}
