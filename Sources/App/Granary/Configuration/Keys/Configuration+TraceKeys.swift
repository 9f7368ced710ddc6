import Foundation

extension Configuration {
    static let traceKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "traces.endpoint", \.traces.endpoint,
            .text(expecting: "a URL that begins with http:// or https://, or an empty string") {
                $0.isEmpty || ["http://", "https://"].contains(where: $0.hasPrefix) && URL(string: $0)?.host() != nil
            },
            "The URL to which spans are sent (OTLP/HTTP in JSON), such as http://localhost:4318/v1/traces. Nothing is traced if it "
                + "is empty."),
        ConfigurationKey(
            "traces.headers", \.traces.headers, .secret,
            "Fields of the requests to the collector: NAME=VALUE, separated by commas. Set it in the environment rather than in a "
                + "file or a flag."),
        ConfigurationKey("traces.service", \.traces.service, .text, "The name of the service in the traces."),
        ConfigurationKey(
            "traces.ratio", \.traces.ratio, .ratio, "The share of requests that is traced, chosen at random."),
        ConfigurationKey(
            "traces.followsParents", \.traces.followsParents, .boolean,
            "Whether the sampled flag of a request's Traceparent decides instead of the ratio. Any client can then have its requests "
                + "traced, up to `traces.rate`."),
        ConfigurationKey(
            "traces.rate", \.traces.rate, .number(in: 1...100_000),
            "The maximum number of requests that are traced in a second, which the loops share evenly. Twenty times as many spans "
                + "are exported in a second at most."),
    ]
}

extension ConfigurationFormat<Double> {
    /// Numbers from 0 to 1.
    static var ratio: ConfigurationFormat {
        ConfigurationFormat(
            expectation: "a number from 0 to 1",
            read: { input in
                let number: Double? =
                    switch input {
                    case .text(let text): Double(text)
                    case .json(.number(let number)): number
                    case .json: nil
                    }
                return number.flatMap { 0...1 ~= $0 ? $0 : nil }
            }, text: { "\($0)" }, literal: { "\($0)" })
    }
}
