public import FoundationEssentials

/// Opens URLs outside of the program.
public struct OpenURLEffect: Sendable {
    private let open: @Sendable (URL) async -> Bool

    /// Creates a value that calls a closure, which returns whether it has opened the URL.
    public init(handler open: @escaping @Sendable (URL) async -> Bool) {
        self.open = open
    }

    /// Opens a URL.
    ///
    /// - Returns: Whether it was opened.
    @discardableResult
    public func callAsFunction(_ url: URL) async -> Bool {
        await open(url)
    }
}

private enum OpenURLKey: DependencyKey {
    static var liveValue: OpenURLEffect {
        OpenURLEffect { _ in
            Issues.report(
                "openURL was used on a server, which has no browser: override it where the store is created",
                severity: .warning)
            return false
        }
    }

    static var testValue: OpenURLEffect {
        OpenURLEffect { _ in
            Issues.report("a test used the dependency \"openURL\" without overriding it")
            return false
        }
    }
}

extension DependencyValues {
    /// Opens a URL outside of the program. A server has no browser: override it with a value that tells the client.
    public var openURL: OpenURLEffect {
        get { self[OpenURLKey.self] }
        set { self[OpenURLKey.self] = newValue }
    }
}
