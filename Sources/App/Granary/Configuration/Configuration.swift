import HTTP2
public import HTTPServer
public import Log
public import MachineHost

/// The configuration of a server: everything that its operator can choose.
///
/// It consists of the configuration values of the modules. Their initial values are the defaults. The tables of keys
/// refer to their properties and contain bounds and help, so a key is defined in one place.
public struct Configuration: Sendable {
    /// The listeners, limits and timeouts of the HTTP server (sections `http` and `http2`).
    public var server = HTTPServerConfiguration()
    /// Whether public listeners respond to `/health` requests (`http.publicHealth`).
    public var servesPublicHealth = true
    /// Whether admin listeners serve metrics (`http.metrics`).
    public var servesMetrics = true
    /// Whether admin listeners serve the admin interface and the inspector (`http.admin`).
    public var servesAdmin = true
    /// Whether public listeners serve the page at `/` (`http.page`).
    public var servesPage = true
    /// Whether public listeners serve `/openapi.json`, the types and `/docs` (`http.docs`).
    public var servesDocs = true
    /// The time within which a new server must be ready during a hot restart (`http.takeoverTimeout`).
    public var takeoverTimeout = Duration.seconds(30)
    /// The certificates and the TLS listener (section `tls`).
    public var tls = TLS()
    /// The compression of responses and streams (section `compression`).
    public var compression = HTTPServerCompression()
    /// The limits of sessions and streams (sections `sessions`, `stream` and `topics`).
    public var sessions = HostConfiguration()
    /// The durability and the storage of sessions (keys `sessions.durability` and `sessions.stateDirectory`). An
    /// embedded ``Server`` does not use it: its sessions end with it.
    public var storage = Storage()
    /// The access control and the limits of clients (sections `access`, `rates` and `quotas`, and `http.trustedProxies`).
    public var access = AccessControl()
    /// Which requests are traced, and where spans are sent (section `traces`).
    public var traces = Traces()
    /// The level and the format of the log (section `log`).
    public var log = Logging()

    /// Creates a configuration with the defaults.
    public init() {
        server.preventsRebinding = true
        // Long connections would keep clients on one server behind a load balancer. The protocol module has no limit of
        // its own, because this is a concern of deployments.
        server.http2.maximumAge = .seconds(86_400)
    }

    /// The certificates and the TLS listener.
    public struct TLS: Sendable, Equatable {
        /// A version of TLS.
        public enum Version: String, Sendable, CaseIterable {
            /// TLS 1.2.
            case v12 = "1.2"
            /// TLS 1.3.
            case v13 = "1.3"
        }

        /// PEM files, each with a certificate and its issuers. TLS is enabled if there is at least one.
        public var certificates: [String] = []
        /// The PEM files of the private keys, in the same order.
        public var privateKeys: [String] = []
        /// Whether to use a temporary self-signed certificate.
        public var selfSigned = false
        /// The TCP port for TLS. 0 selects any free port.
        public var port = 8443
        /// The lowest supported version.
        public var minimumVersion = Version.v12
        /// The timeout of a handshake.
        public var handshakeTimeout = Duration.seconds(10)
        /// A PEM file with the issuers of client certificates. If it is empty, no certificates are requested from
        /// clients.
        public var clientIssuers = ""
        /// Whether clients must present a certificate.
        public var requiresClientCertificate = false
        /// The interval at which the files are checked for changes.
        public var reloadInterval = Duration.seconds(10)
        /// Whether cleartext requests are redirected to TLS.
        public var redirectsCleartext = false
        /// The port of redirects. 0 selects ``port``.
        public var publicPort = 0
        /// The `max-age` of `Strict-Transport-Security`. The field is not sent if it is zero.
        public var strictTransportSecurity = Duration.zero
    }

    /// The durability and the storage of sessions.
    public struct Storage: Sendable, Equatable {
        /// The durability of sessions whose machines can be captured and request no other durability.
        public var durability = Durability.disk
        /// Where sessions are stored.
        public var journal = JournalAddress.sqlite
        /// The time for which a request waits for the database, if it is not a local one.
        public var journalTimeout = Duration.seconds(5)
        /// The free space of the disk, in bytes, below which inputs are refused.
        public var diskReserve = 64 << 20
        /// Whether damaged sessions are moved aside, so that the server begins without any.
        public var movesAside = false
        /// The directory, which only the user of the server may access. If it is empty, `serve` uses the first of
        /// `$STATE_DIRECTORY`, `$XDG_STATE_HOME/NAME` and `~/.local/state/NAME`, where NAME is the name of the program.
        public var directory = ""
        /// The file with the keys that encrypt sessions of machines with secrets. Without one, such sessions end with the
        /// process.
        public var keyFile = ""
    }

    /// Which requests are traced, and where spans are sent.
    public struct Traces: Sendable, Equatable {
        /// The URL of a collector that accepts OTLP/HTTP in JSON. Nothing is traced if it is empty.
        public var endpoint = ""
        /// Fields of the requests to the collector: `NAME=VALUE`, separated by commas.
        public var headers = Secret()
        /// The name of the service in the traces.
        public var service = "granary"
        /// The share of requests that is traced, from 0 to 1.
        public var ratio = 0.01
        /// Whether the sampled flag of a request's `Traceparent` decides instead of the ratio.
        public var followsParents = false
        /// The maximum number of requests that are traced in a second, shared by the loops.
        public var rate = 100
    }

    /// The level and the format of the log.
    public struct Logging: Sendable, Equatable {
        /// The lowest level that is logged.
        public var level = LogLevel.info
        /// The format of the lines.
        public var format = LogFormat.text
        /// Whether a line is logged for each response.
        public var access = false
        /// The maximum number of such lines per second, shared by the loops.
        public var accessRate = 1000
    }
}

extension Configuration {
    /// Returns the configuration of the HTTP server, including compression and TLS.
    func httpServer(tls: HTTPServerTLS? = nil, inherited: InheritedSockets? = nil) -> HTTPServerConfiguration {
        var result = server
        // `nil` removes the compression stage from the path of every response.
        result.compression = compression.answers || compression.streams != .off ? compression : nil
        if let tls { result.tls = tls }
        if let inherited { result.inherited = inherited }
        return result
    }
}
