public import ComposableArchitecture

/// What came of a login, or of its second step.
public struct AuthenticationResponse: Equatable, Sendable {
    var token: String
    var twoFactorRequired: Bool
}

/// Why a login failed.
public enum AuthenticationError: String, Error, Equatable, Sendable {
    case invalidUserPassword = "The e-mail address and the password do not go together."
    case invalidTwoFactor = "That is not the code; in this demo it is 1234."
    case invalidIntermediateToken = "The first step of this login is no longer known; begin again."
}

/// Who knows the users.
public struct AuthenticationClient {
    var login: (_ email: String, _ password: String) -> Effect<AuthenticationResponse, AuthenticationError>
    var twoFactor: (_ code: String, _ token: String) -> Effect<AuthenticationResponse, AuthenticationError>

    /// Any e-mail address with the password `password`; one with `2fa` in it needs the code 1234 as well.
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
    /// Who knows the users.
    public var authenticationClient: AuthenticationClient {
        get { self[AuthenticationKey.self] }
        set { self[AuthenticationKey.self] = newValue }
    }
}
