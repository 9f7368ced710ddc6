extension Configuration {
    static let sessionKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "sessions.maxSessions", \.sessions.maxSessions, .number(in: .anyCount),
            "The maximum number of sessions in memory. Above the limit, new sessions get 503, and so do inputs to sessions "
                + "that sleep."),
        ConfigurationKey(
            "sessions.maxSessionsPerClient", \.sessions.maxSessionsPerClient, .limit,
            "The maximum number of sessions of a client, which is an IPv4 address or an IPv6 /64 network. Above the "
                + "limit, new sessions get 429. Loopback addresses and Unix sockets are not limited. 0 disables the "
                + "limit."),
        ConfigurationKey(
            "sessions.maxNewSessionsPerClient", \.sessions.maxNewSessionsPerClient, .limit,
            "The maximum number of sessions that a client may create per second. Above the limit, new sessions get "
                + "429. 0 disables the limit."),
        ConfigurationKey(
            "sessions.maxStreamsPerSession", \.sessions.maxStreamsPerSession, .number(in: 1...100_000),
            "The maximum number of streams of a session. Above the limit, new streams get 429."),
        ConfigurationKey(
            "sessions.maxStreams", \.sessions.maxStreams, .number(in: .anyCount),
            "The maximum number of streams of the server. Above the limit, new streams get 429."),
        ConfigurationKey(
            "sessions.idleExpiry", \.sessions.idleExpiry, .duration(in: .anyTime),
            "The time after which a session without inputs and streams expires."),
        ConfigurationKey(
            "sessions.historyChanges", \.sessions.historyChanges, .number(in: 1...1_000_000),
            "The number of changes that a session stores for streams that resume. Streams that missed more get a snapshot."
        ),
        ConfigurationKey(
            "sessions.historyBytes", \.sessions.historyBytes,
            .bytes(in: ByteCount(bytes: 1)...ByteCount.mebibytes(1024)),
            "The size of the changes that a session stores. The lower of the two limits applies."),
        ConfigurationKey(
            "sessions.idempotencyKeys", \.sessions.idempotencyKeys, .number(in: 0...100_000),
            "The number of idempotency keys of inputs that a session stores. Above the limit, new keys get 429. 0 disables "
                + "idempotency keys, including those for new sessions."),
        ConfigurationKey(
            "sessions.idempotencyWindow", \.sessions.idempotencyWindow, .duration(in: .anyTime),
            "How long an idempotency key is stored."),
        ConfigurationKey(
            "sessions.turnsInARow", \.sessions.turnsInARow, .number(in: .anyCount),
            "The maximum number of consecutive turns, each of which was scheduled by the previous one without a delay. A "
                + "session that exceeds it ends with an incident."),
        ConfigurationKey(
            "sessions.turnWarning", \.sessions.turnWarning, .duration(in: .anyTime),
            "Turns that take at least this long are logged with their machine and input."),
    ]

    static let storageKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "sessions.hibernateAfter", \.sessions.hibernateAfter, .timeOrNever,
            "The time after which a stored session that nobody uses leaves the memory, if its machine declares that it may. "
                + "An input, a timer or its deletion wakes it. \"0ms\" keeps all sessions in memory."),
        ConfigurationKey(
            "sessions.durability", \.storage.durability,
            .oneOf([("memory", .memory), ("process", .process), ("disk", .disk), ("replicated", .replicated)]),
            "What an acknowledged input survives: nothing (memory), the end of the process (process), the loss of power "
                + "(disk) or the loss of a server of the database (replicated, with PostgreSQL). Machines whose registration "
                + "requests a durability have that one. Sessions whose machine cannot be captured end with the process."
        ),
        ConfigurationKey(
            "sessions.journal", \.storage.journal, .journal,
            "Where sessions are stored: in a database of SQLite in the state directory or in another directory, or in a database "
                + "of PostgreSQL, which one process at a time uses. The state directory is needed in any case, for keys and locks."
        ),
        ConfigurationKey(
            "sessions.journalTimeout", \.storage.journalTimeout, .duration(in: .milliseconds(100) ... .seconds(3600)),
            "How long requests wait for a database of PostgreSQL. After that, they get 503, and so does /health/ready."),
        ConfigurationKey(
            "sessions.stateDirectory", \.storage.directory, .text,
            "The directory for sessions. If it is empty, it is $STATE_DIRECTORY, $XDG_STATE_HOME/NAME or "
                + "~/.local/state/NAME, where NAME is the name of the program."),
        ConfigurationKey(
            "sessions.keyFile", \.storage.keyFile, .text,
            "The file with the keys that encrypt stored sessions of machines with secrets. Each line is a key: 32 random bytes "
                + "as 64 hexadecimal digits (`openssl rand -hex 32`) or in base64. The first key encrypts, all of them decrypt. "
                + "Only the owner may have access to the file. Without a key, such sessions end with the process."),
        ConfigurationKey(
            "sessions.turnsPerSnapshot", \.sessions.turnsPerSnapshot, .number(in: 1...1_000_000),
            "The number of turns after which a session is stored as a whole. The turns since then are what the inspector and "
                + "exports show, and what is read when a session is restored."),
        ConfigurationKey(
            "sessions.bytesPerSnapshot", \.sessions.bytesPerSnapshot,
            .bytes(in: .kibibytes(1)...ByteCount.mebibytes(1024)),
            "The size of the turns after which a session is stored as a whole. The lower of the two limits applies."),
        ConfigurationKey(
            "sessions.diskReserve", \.storage.diskReserve,
            .bytes(in: ByteCount(bytes: 0)...ByteCount.mebibytes(1 << 20)),
            "The free space of the disk below which inputs get 507 and /health/ready gets 503, so that everything that was "
                + "accepted can be stored."),
        ConfigurationKey(
            "sessions.moveAside", \.storage.movesAside, .boolean,
            "Whether damaged sessions are renamed, so that the server begins without any. Otherwise it does not start. Set "
                + "it for one start."),
        ConfigurationKey(
            "sessions.revertWindow", \.sessions.revertWindow, .duration(in: .anyTime),
            "How long the state of a session before a migration is kept, so that an older version of the program restores "
                + "it."),
        ConfigurationKey(
            "sessions.maxOutputBytes", \.sessions.maxOutputBytes,
            .bytes(in: .kibibytes(1)...ByteCount.mebibytes(1024)),
            "The maximum size of the JSON of a change, and of all outputs of a session. A session whose machine exceeds it "
                + "ends with an incident."),
        ConfigurationKey(
            "sessions.maxSessionBytes", \.sessions.maxSessionBytes,
            .bytes(in: .kibibytes(1)...ByteCount.mebibytes(1 << 20)),
            "The maximum memory of a session: outputs, history, keyed requests and pending work. Above the limit, inputs "
                + "get 507. The store of a machine cannot be measured, so its outputs count instead."),
        ConfigurationKey(
            "sessions.maxBytes", \.sessions.maxBytes, .bytes(in: .kibibytes(1)...ByteCount.mebibytes(1 << 20)),
            "The maximum memory of all sessions. Above the limit, new sessions and inputs with a body get 503. "
                + "Inputs to small sessions are refused last. With large outputs, the process uses two to three "
                + "times as much memory."),
        ConfigurationKey(
            "sessions.idempotencyBytes", \.sessions.idempotencyBytes,
            .bytes(in: .kibibytes(1)...ByteCount.mebibytes(1024)),
            "The size of the responses to keyed requests that a session stores. Above the limit, new keys get 429. A "
                + "response larger than a quarter of it is stored without its changes."),
        ConfigurationKey(
            "sessions.creationKeys", \.sessions.creationKeys, .number(in: 1...10_000_000),
            "The number of idempotency keys for new sessions that the server stores. Above the limit, new keys get 429."
        ),
    ]

    static let streamKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "stream.keepAlive", \.sessions.keepAlive, .duration(in: .anyTime),
            "The time after which an idle stream gets a comment line, so that proxies do not close it."),
        ConfigurationKey(
            "stream.retry", \.sessions.retry, .duration(in: .anyTime),
            "The time that clients should wait before they reconnect (the `retry` field of the stream)."),
        ConfigurationKey(
            "stream.lifetime", \.sessions.streamLifetime, .optionalDuration(in: .anyTime),
            "The age at which a stream ends with \"rotated\". It varies by a random part so that streams do not all end at "
                + "the same time."),
    ]
}
