import ComposableMacros

/// A person who registers.
struct Registration: Codable, Equatable, Sendable {
    var name: String
    var email: String
}

/// The reason why a registration failed.
enum RegistrationError: String, Error, Codable, Sendable {
    case emailIsTaken = "Somebody has registered with this e-mail address."
}

/// A client of a service at which people register.
@DependencyClient
struct RegistrationClient: Sendable {
    /// Registers a person, and returns the number of the registration.
    var register: @Sendable (Registration) async throws -> Int
}

extension RegistrationClient: DependencyKey {
    /// A service that knows the addresses at `taken.example`, and derives the number from the address.
    static let liveValue = RegistrationClient { registration in
        guard !registration.email.hasSuffix("@taken.example") else { throw RegistrationError.emailIsTaken }
        return registration.email.utf8.reduce(0) { ($0 * 31 + Int($1)) % 9000 } + 1000
    }

    static let testValue = RegistrationClient()
}

extension DependencyValues {
    /// A client of a service at which people register.
    var registrations: RegistrationClient {
        get { self[RegistrationClient.self] }
        set { self[RegistrationClient.self] = newValue }
    }
}
