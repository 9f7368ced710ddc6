import Telemetry

// What the host counts. The labels are names of registered machines and fixed words.
extension MetricFamily {
    static let sessions = MetricFamily.gauge(
        "granary_sessions", "Sessions whose machine is in memory.", labels: "machine")
    static let sessionsCreated = MetricFamily.counter(
        "granary_sessions_created", "Sessions that clients have created.", labels: "machine")
    static let sessionsEnded = MetricFamily.counter(
        "granary_sessions_ended", "Sessions that have ended.", labels: "machine", "reason")
    static let inputs = MetricFamily.counter(
        "granary_inputs", "Inputs that were passed to machines.", labels: "machine")
    static let changes = MetricFamily.counter("granary_changes", "Changes of outputs.", labels: "machine")
    static let topicValuesPublished = MetricFamily.counter(
        "granary_topic_values_published", "Values that sessions have published to topics.", labels: "machine")
    static let topicValuesReceived = MetricFamily.counter(
        "granary_topic_values_received", "Values of topics that sessions have received.", labels: "machine")
    static let topicValuesLost = MetricFamily.counter(
        "granary_topic_values_lost", "Values of topics that sessions have not received.", labels: "machine", "reason")
    static let turns = MetricFamily.histogram(
        "granary_turn_duration_seconds", "The duration of turns, including the encoding of outputs.", labels: "machine")
    static let replays = MetricFamily.counter(
        "granary_idempotent_replays", "Requests that got the response to an earlier request with the same key.")
    static let streams = MetricFamily.gauge("granary_streams", "Open event streams.")
    static let streamLimit = MetricFamily.gauge("granary_streams_limit", "The limit of open event streams.")
    static let sessionLimit = MetricFamily.gauge("granary_sessions_limit", "The limit of sessions.")
    static let retained = MetricFamily.gauge("granary_retained_bytes", "Bytes that all sessions retain.")
    static let retainedLimit = MetricFamily.gauge("granary_retained_bytes_limit", "The limit of retained bytes.")
    static let commits = MetricFamily.histogram(
        "granary_journal_commit_duration_seconds", "The duration of commits of the journal, including the flush.")
}
