import ComposableArchitecture
import Testing

@testable import DemoMachines

/// Tests of the form, step by step.
struct SignUpTests {
    private struct Outage: Error {}

    /// A form that can be submitted.
    private let complete = SignUp.State(name: "Ann", email: "ann@example.org", acceptsTerms: true)

    private func store(
        _ state: SignUp.State, register: @escaping @Sendable (Registration) async throws -> Int = { _ in 7 }
    ) -> TestStoreOf<SignUp> {
        TestStore(initialState: state) {
            SignUp()
        } withDependencies: {
            $0.registrations.register = register
        }
    }

    @Test func `errors are shown when the form is submitted, and then follow the fields`() async {
        let store = store(SignUp.State())
        await store.send(\.binding.name, " ") { $0.name = " " }
        await store.send(\.submitTapped) {
            $0.wasSubmitted = true
            $0.errors.name = "Enter your name."
            $0.errors.email = "Enter an e-mail address, such as ann@example.org."
            $0.errors.terms = "Accept the terms."
        }
        await store.send(\.binding.name, "Ann") {
            $0.name = "Ann"
            $0.errors.name = nil
        }
        await store.send(\.binding.acceptsTerms, true) {
            $0.acceptsTerms = true
            $0.errors.terms = nil
        }
    }

    @Test func `a registration shows its number, and the next one begins with an empty form`() async {
        let asked = LockIsolated<[Registration]>([])
        let store = store(complete) { registration in
            asked.withValue { $0.append(registration) }
            return 7
        }
        await store.send(\.submitTapped) {
            $0.wasSubmitted = true
            $0.isSubmitting = true
        }
        await store.receive(\.registerResponse.success, 7) {
            $0.isSubmitting = false
            $0.number = 7
            $0.alert = .registered(7)
        }
        #expect(asked.value == [Registration(name: "Ann", email: "ann@example.org")])
        await store.send(\.alert.startOver) { $0 = SignUp.State() }
    }

    @Test func `a registration that failed can be tried again`() async {
        let outcomes = LockIsolated<[Result<Int, any Error>]>([
            .failure(RegistrationError.emailIsTaken), .failure(Outage()), .success(8),
        ])
        let store = store(complete) { _ in try outcomes.withValue { $0.removeFirst() }.get() }
        await store.send(\.submitTapped) {
            $0.wasSubmitted = true
            $0.isSubmitting = true
        }
        await store.receive(\.registerResponse.failure) {
            $0.isSubmitting = false
            $0.alert = .failed(RegistrationError.emailIsTaken)
        }
        await store.send(\.alert.tryAgain) {
            $0.isSubmitting = true
            $0.alert = nil
        }
        await store.receive(\.registerResponse.failure) {
            $0.isSubmitting = false
            $0.alert = .failed(Outage())
        }
        await store.send(\.alert.dismiss) { $0.alert = nil }
        await store.send(\.submitTapped) { $0.isSubmitting = true }
        await store.receive(\.registerResponse.success, 8) {
            $0.isSubmitting = false
            $0.number = 8
            $0.alert = .registered(8)
        }
    }

    @Test func `a form is not submitted twice`() async {
        let clock = TestClock()
        let store = store(complete) { _ in
            try await clock.sleep(for: .seconds(1))
            return 7
        }
        await store.send(\.submitTapped) {
            $0.wasSubmitted = true
            $0.isSubmitting = true
        }
        await store.send(\.submitTapped)
        await clock.advance(by: .seconds(1))
        await store.receive(\.registerResponse.success, 7) {
            $0.isSubmitting = false
            $0.number = 7
            $0.alert = .registered(7)
        }
    }

    @Test func `a restart repeats a registration in progress, and no other`() async {
        await store(complete).send(\.resumed)
        var state = complete
        state.isSubmitting = true
        let store = store(state)
        await store.send(\.resumed)
        await store.receive(\.registerResponse.success, 7) {
            $0.isSubmitting = false
            $0.number = 7
            $0.alert = .registered(7)
        }
    }

    @Test(arguments: ["a@b.c", "ann.b+c@mail.example.org"])
    func `an address has a local part and a domain`(email: String) {
        #expect(FieldErrors(SignUp.State(name: "a", email: email, acceptsTerms: true)).isEmpty)
    }

    @Test(arguments: [
        "", "ann", "@example.org", "ann@", "ann@example", "ann@.org", "ann@example.", "a@b@c.d", "a b@c.d",
        String(repeating: "a", count: 250) + "@b.cd",
    ])
    func `anything else is no address`(email: String) {
        #expect(FieldErrors(SignUp.State(name: "a", email: email, acceptsTerms: true)).email != nil)
    }

    @Test func `a name has at most 100 characters`() {
        func error(_ count: Int) -> String? {
            FieldErrors(SignUp.State(name: String(repeating: "ü", count: count), email: "a@b.c", acceptsTerms: true))
                .name
        }
        #expect(error(100) == nil)
        #expect(error(101) == "Enter a name of at most 100 characters.")
    }

    @Test func `the service of the demo knows some addresses`() async throws {
        let service = RegistrationClient.liveValue
        let number = try await service.register(Registration(name: "Ann", email: "ann@example.org"))
        #expect((1000..<10_000).contains(number))
        await #expect(throws: RegistrationError.emailIsTaken) {
            try await service.register(Registration(name: "Bob", email: "bob@taken.example"))
        }
    }
}
