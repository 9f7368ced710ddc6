public import HTTPModel

/// The result of a program's own authentication.
public enum HostCredential: Sendable {
    /// The request has no credential that the program knows. Other methods are tried.
    case none
    /// The request comes from a principal.
    ///
    /// - Parameters:
    ///   - id: The id, unique in the program. An empty id is rejected.
    ///   - claims: What is known about the principal, as a JSON object.
    ///   - expires: The time at which the credential expires; nil if it does not.
    case principal(id: String, claims: String = "{}", expires: UnixTime? = nil)
    /// The credential is invalid. The reason is sent to the client, so it must not contain the credential.
    case rejected(String)
}

/// A program's own authentication, for example the session of an existing web application.
///
/// It is called for each request without another explicit credential. The request's body may be missing.
public struct HostAuthenticator: Sendable {
    enum Body: Sendable {
        case now(@Sendable (HTTPRequest) -> HostCredential)
        case later(@Sendable (HTTPRequest) async -> HostCredential, timeout: Duration)
    }

    let name: String
    let body: Body

    /// Creates an authenticator that decides immediately.
    ///
    /// - Parameters:
    ///   - name: The issuer of its principals.
    ///   - authenticate: Called on the event loop, so it must not wait.
    public init(name: String, authenticate: @escaping @Sendable (HTTPRequest) -> HostCredential) {
        self.name = name
        body = .now(authenticate)
    }

    /// Creates an authenticator that decides later.
    ///
    /// - Parameters:
    ///   - name: The issuer of its principals.
    ///   - timeout: The time after which a request that waits is refused with 503.
    ///   - authenticate: Called in a task. The request waits for its result.
    public init(
        name: String, timeout: Duration = .seconds(10),
        authenticateLater authenticate: @escaping @Sendable (HTTPRequest) async -> HostCredential
    ) {
        self.name = name
        body = .later(authenticate, timeout: timeout)
    }
}
