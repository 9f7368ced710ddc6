@testable import Granary

/// The settings of a program that uses a service.
struct ServiceSettings: Sendable, Equatable {
    var baseURL = "https://service.example"
    var token = Secret()
    var timeout = Duration.seconds(10)
    var retries = 3
    var isEnabled = true
    var regions = ["eu"]
    var mode = Mode.fast
    var cacheBytes = 1 << 20

    enum Mode: String, CaseIterable, Sendable {
        case fast
        case careful
    }

    static let keys: [ConfigurationKey<ServiceSettings>] = [
        ConfigurationKey(
            "service.baseURL", \.baseURL,
            .text(expecting: "a URL that begins with https://") { $0.hasPrefix("https://") },
            "The address of the service."),
        ConfigurationKey("service.token", \.token, .secret, "The token that is sent to the service."),
        ConfigurationKey(
            "service.timeout", \.timeout, .duration(in: .seconds(1)...Duration.seconds(60)), "The timeout of a request."
        ),
        ConfigurationKey("service.retries", \.retries, .number(in: 0...9), "The number of retries."),
        ConfigurationKey("service.isEnabled", \.isEnabled, .boolean, "Whether the service is used."),
        ConfigurationKey("service.regions", \.regions, .list, "The regions of the service."),
        ConfigurationKey("service.mode", \.mode, .choice, "The mode of the service."),
        ConfigurationKey(
            "service.cacheBytes", \.cacheBytes, .bytes(in: .kibibytes(1)...ByteCount.mebibytes(64)),
            "The size of the cache."),
    ]
}

typealias ServiceConfiguration = ProgramConfiguration<ServiceSettings>

extension ConfigurationTable<ServiceConfiguration> {
    /// The table of the program.
    static var service: ConfigurationTable {
        ConfigurationTable(settings: ServiceSettings(), keys: ServiceSettings.keys)
    }
}

extension ConfigurationTable {
    /// The values of all keys, in order.
    func values(of root: Root) -> [String] { keys.map { $0.text(in: root) } }
}
