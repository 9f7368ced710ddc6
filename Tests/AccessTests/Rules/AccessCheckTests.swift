import Testing

@testable import Access

@Suite struct AccessCheckTests {
    private let ada = TestHash.requester(.token, "ada")
    private let bob = TestHash.requester(.token, "bob")
    private let session = SessionDigest(high: 1, low: 2)
    private static let operations: [AccessOperation] = [.read, .input("increment"), .delete, .tickets]

    private var ownedByAda: SessionAccess {
        SessionAccess(
            session: session, owner: TestHash.hasher.hash(of: Principal(method: .token, id: "ada")), ticketGeneration: 4
        )
    }

    private var free: SessionAccess { SessionAccess(session: session, owner: nil) }

    private func ticket(
        _ rights: TicketRights, session: SessionDigest? = nil, generation: UInt32 = 4
    ) throws -> Requester {
        .ticket(
            try Ticket(session: session ?? self.session, rights: rights, generation: generation, expires: .never))
    }

    private func verdict(
        _ operation: AccessOperation, _ access: SessionAccess, _ requester: Requester, _ rule: AccessRule? = nil
    ) -> AccessCheck.Verdict {
        AccessCheck.operation(operation, on: access, by: requester, rule: rule)
    }

    @Test(arguments: operations)
    func `an owned session does not exist for others`(operation: AccessOperation) {
        #expect(verdict(operation, ownedByAda, ada) == .allowed)
        #expect(verdict(operation, ownedByAda, bob) == .notFound)
        #expect(verdict(operation, ownedByAda, .anonymous) == .notFound)
        #expect(verdict(operation, ownedByAda, TestHash.requester(.apiKey, "ada")) == .notFound)
        // A rule cannot open it.
        #expect(verdict(operation, ownedByAda, bob, AccessRule { _, _ in .allow }) == .notFound)
    }

    @Test(arguments: operations)
    func `a session without an owner is for all who know its id`(operation: AccessOperation) {
        for requester in [Requester.anonymous, ada, bob] { #expect(verdict(operation, free, requester) == .allowed) }
    }

    @Test func `a ticket permits its rights for its session and generation`() throws {
        #expect(try verdict(.read, ownedByAda, ticket(.read)) == .allowed)
        #expect(try verdict(.input("x"), ownedByAda, ticket([.read, .write])) == .allowed)
        #expect(try verdict(.delete, ownedByAda, ticket(.delete)) == .allowed)
        guard case .forbidden(let reason) = try verdict(.input("x"), ownedByAda, ticket(.read)) else {
            throw TestFailure("expected a forbidden input")
        }
        #expect(reason.contains("read"))
        for operation in [AccessOperation.tickets, .create(machine: "m")] {
            guard case .forbidden = try verdict(operation, ownedByAda, ticket(.all)) else {
                throw TestFailure("expected that no ticket permits \(operation)")
            }
        }
        let other = try ticket(.all, session: SessionDigest(high: 1, low: 3))
        #expect(verdict(.read, ownedByAda, other) == .notFound)
        #expect(verdict(.read, free, other) == .notFound)
        #expect(try verdict(.read, ownedByAda, ticket(.all, generation: 3)) == .rejected(.revokedTicket))
    }

    @Test func `a rule denies what ownership and tickets permit`() throws {
        let rule = AccessRule { principal, operation in
            switch operation {
            case .input("reset"): principal?.id == "ada" ? .allow : .deny("Only Ada may reset.")
            case .create("secret"): principal == nil ? .deny("Sign in.") : .allow
            default: .allow
            }
        }
        #expect(verdict(.input("reset"), ownedByAda, ada, rule) == .allowed)
        #expect(verdict(.input("reset"), free, bob, rule) == .forbidden("Only Ada may reset."))
        #expect(try verdict(.input("reset"), ownedByAda, ticket(.all), rule) == .forbidden("Only Ada may reset."))
        #expect(verdict(.input("increment"), free, bob, rule) == .allowed)
        #expect(AccessCheck.creation(of: "secret", by: .anonymous, rule: rule) == .forbidden("Sign in."))
        #expect(AccessCheck.creation(of: "secret", by: ada, rule: rule) == .allowed)
        #expect(AccessCheck.creation(of: "secret", by: .anonymous, rule: nil) == .allowed)
    }
}
