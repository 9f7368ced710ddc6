public import ComposableArchitecture

/// The response to a login or to its second step.
public struct AuthenticationResponse: Equatable, Sendable {
    var token: String
    var twoFactorRequired: Bool
}

/// The reason why a login failed.
public enum AuthenticationError: String, Error, Equatable, Sendable {
    case invalidUserPassword = "The e-mail address or the password is wrong."
    case invalidTwoFactor = "The code is wrong. In this demo it is 1234."
    case invalidIntermediateToken = "This login has expired. Log in again."
}

/// A client of an authentication service.
public struct AuthenticationClient {
    var login: (_ email: String, _ password: String) -> Effect<AuthenticationResponse, AuthenticationError>
    var twoFactor: (_ code: String, _ token: String) -> Effect<AuthenticationResponse, AuthenticationError>

    /// A client that accepts any e-mail address with the password `password`. An address that contains `2fa` also
    /// requires the code 1234.
    public static var demo: AuthenticationClient {
        AuthenticationClient(
            login: { email, password in
                guard email.contains("@"), password == "password" else {
                    return Effect(error: .invalidUserPassword)
                }
                let needsCode = email.contains("2fa")
                return Effect(
                    value: AuthenticationResponse(
                        token: needsCode ? "intermediate" : "final", twoFactorRequired: needsCode))
            },
            twoFactor: { code, token in
                guard token == "intermediate" else { return Effect(error: .invalidIntermediateToken) }
                guard code == "1234" else { return Effect(error: .invalidTwoFactor) }
                return Effect(value: AuthenticationResponse(token: "final", twoFactorRequired: false))
            })
    }
}

private enum AuthenticationKey: DependencyKey {
    static var liveValue: AuthenticationClient { .demo }
}

extension DependencyValues {
    /// A client of an authentication service.
    public var authenticationClient: AuthenticationClient {
        get { self[AuthenticationKey.self] }
        set { self[AuthenticationKey.self] = newValue }
    }
}
