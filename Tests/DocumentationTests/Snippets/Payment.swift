import Combine
import Granary

struct Bank: Sendable {
    let pay: @Sendable (_ amount: Int, _ key: String) async throws -> String
}

/// Returns the function for a machine's Extra: an amount goes in, the number of a receipt comes out.
func payments(of bank: Bank, _ context: SessionContext) -> (Int) -> AnyPublisher<String, any Error> {
    context.effect("pay") { (amount: Int) async throws in
        try await bank.pay(amount, EffectCall.current?.idempotencyKey ?? "")
    }
}
