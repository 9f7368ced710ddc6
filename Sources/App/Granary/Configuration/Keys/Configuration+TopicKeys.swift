extension Configuration {
    static let topicKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "topics.count", \.sessions.topics.count, .number(in: .anyCount),
            "The maximum number of topics that have subscribers, members or a current value. Above the limit, one that only has a "
                + "current value loses it; if there is none, a new session that uses another topic gets 503."),
        ConfigurationKey(
            "topics.subscribers", \.sessions.topics.subscribers, .number(in: .anyCount),
            "The maximum number of sessions that subscribe to a topic. Above the limit, a new one gets 503."),
        ConfigurationKey(
            "topics.queuedValues", \.sessions.topics.queuedValues, .number(in: 1...1_000_000),
            "The maximum number of values of a topic that wait for a session, or for the sessions of a loop. Above the limit, the rule "
                + "of the topic decides which value is lost."),
        ConfigurationKey(
            "topics.valueBytes", \.sessions.topics.valueBytes, .bytes(in: .anySize),
            "The maximum size of a value as JSON. A session that sends a larger one ends with an incident."),
        ConfigurationKey(
            "topics.bytes", \.sessions.topics.bytes, .bytes(in: .anySize),
            "The maximum size of all values that wait or are current, and of what members state. Above the limit, topics that only have a "
                + "current value lose it, and then new values are lost."),
    ]
}
