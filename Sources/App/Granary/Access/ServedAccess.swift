import Access
import FoundationEssentials
import HTTPModel
import Locking
import Log
import MachineHost

/// The access control of a running server: what was loaded from files, and what is fetched from URLs.
final class ServedAccess: Sendable {
    private struct State {
        var keys: AccessKeys
        /// The access control of the host with these keys.
        var current = HostAccess()
        var apply: (@Sendable (HostAccess) -> Void)?
    }

    /// A file that is loaded again when it changes.
    struct Watched: Sendable {
        let source: AccessKeys.Source
        let file: KeyFile
    }

    /// The key that identifies the owners of sessions; nil without any method of authentication.
    let identity: IdentityKey?

    private let plan: AccessPlan
    private let hasher: PrincipalHasher
    private let watched: [Watched]
    private let log: Log
    private let state: Lock<State>
    private let fetchers = Lock<[KeySetFetcher]>([])

    /// Loads the keys of a configuration.
    ///
    /// - Parameters:
    ///   - host: The program's own authentication.
    ///   - directory: The state directory, where keys are created that are not configured; nil if none exists. A new
    ///     ``identity`` is not saved before a journal has accepted it.
    /// - Throws: If a file cannot be used, or keys of the configuration contradict each other.
    init(
        _ configuration: Configuration, host: HostAuthenticator? = nil, directory: String? = nil, log: Log
    ) throws(OperatorError) {
        let plan = AccessPlan(configuration, host: host)
        try plan.check()
        var keys = try AccessKeys(configuration.access)
        var files = ServedAccess.files(configuration.access)
        if plan.hasMethods {
            if let file = try ServedAccess.signingFile(configuration.access, directory) {
                files.append(Watched(source: .signing, file: file))
            } else {
                log(.info, "cookies and tickets end with the process, because access.signingKeys is not set")
                try keys.replace(with: .signing(.random(), count: 1))
            }
            let identity = try IdentityKey(configuration.access.identityKey, directory)
            hasher = identity.hasher
            self.identity = identity
        } else {
            identity = nil
            hasher = PrincipalHasher(key: .random())
        }
        for watched in files { try keys.replace(with: try ServedAccess.content(of: watched)) }
        self.plan = plan
        watched = files
        self.log = log
        state = Lock(State(keys: keys))
        let urls = configuration.access.tokenIssuers.enumerated()
        fetchers.withLock { fetchers in
            for (index, issuer) in urls {
                guard case .url(let url) = TokenKeySource(issuer.keys) else { continue }
                fetchers.append(
                    KeySetFetcher(issuer: issuer.issuer, url: url, interval: issuer.refresh) { [weak self] result in
                        self?.fetched(result, of: index, url.absoluteString)
                    })
            }
        }
        state.withLock { $0.current = access($0.keys) }
    }

    var current: HostAccess { state.withLock { $0.current } }

    /// The watches of all files. The identity key is not one of them, because it never changes.
    var watches: [FileWatch] {
        watched.map { watched in
            FileWatch {
                [FileStamp(watched.file.path)]
            } load: { [weak self] in
                self?.reload(watched)
            }
        }
    }

    /// Starts to fetch keys.
    ///
    /// - Parameter apply: Called with the access control of the host whenever keys have changed.
    func begin(_ apply: @escaping @Sendable (HostAccess) -> Void) {
        state.withLock { $0.apply = apply }
        for fetcher in fetchers.withLock({ $0 }) { fetcher.begin() }
    }

    /// Stops fetching keys.
    func end() {
        state.withLock { $0.apply = nil }
        for fetcher in fetchers.withLock({ $0 }) { fetcher.end() }
    }

    private func access(_ keys: AccessKeys) -> HostAccess {
        var access = plan.access(keys, hasher)
        let fetchers = fetchers.withLock { $0 }
        if !fetchers.isEmpty {
            access.unknownKey = { name in
                for fetcher in fetchers where fetcher.issuer.utf8.elementsEqual(name.utf8) { fetcher.unknownKeySeen() }
            }
        }
        return access
    }

    private func reload(_ watched: Watched) {
        do throws(OperatorError) {
            try install(try ServedAccess.content(of: watched), from: watched.file.path)
        } catch {
            keep(watched.file.path, error)
        }
    }

    private func fetched(_ result: Result<KeySet, OperatorError>, of index: Int, _ url: String) {
        do throws(OperatorError) {
            try install(.issuer(index, try result.get()), from: url)
        } catch {
            keep(url, error)
        }
    }

    private func install(_ content: AccessKeys.Content, from source: String) throws(OperatorError) {
        // The closure is called with the lock, so that two replacements arrive in order. It only posts to the loops.
        try state.withLock { state throws(OperatorError) in
            try state.keys.replace(with: content)
            state.current = access(state.keys)
            state.apply?(state.current)
        }
        AuditEvent(.keysReloaded(source: source, count: content.count)).write(to: log)
    }

    private func keep(_ source: String, _ error: OperatorError) {
        AuditEvent(.keysUnchanged(source: source, reason: error.description)).write(to: log)
    }
}
