import GitHubAPI
import Granary

/// The settings of the demo's search machines.
struct DemoSettings: Sendable {
    /// The base address of GitHub's API.
    var baseURL = GitHubConfiguration.publicAddress
    /// The access token that is sent with each search.
    var token = Secret()
    var timeout = Duration.seconds(10)

    static let keys = [
        ConfigurationKey<DemoSettings>(
            "github.baseURL", \.baseURL,
            .text(expecting: "a URL that begins with http:// or https://") {
                $0.hasPrefix("https://") || $0.hasPrefix("http://")
            }, "The base address of the GitHub API that the search machines use."),
        ConfigurationKey<DemoSettings>(
            "github.token", \.token, .secret,
            "The access token that is sent with each search. Set it in the environment rather than in a file or a flag."
        ),
        ConfigurationKey<DemoSettings>(
            "github.timeout", \.timeout, .duration(in: .milliseconds(1)...Duration.seconds(86_400 * 30)),
            "The timeout of a search."),
    ]

    func makeClient() throws(GitHubConfigurationError) -> GitHubClient {
        GitHubClient(
            configuration: try GitHubConfiguration(
                baseAddress: baseURL, token: token.reveal(), idleTimeout: timeout, totalTimeout: timeout))
    }
}
