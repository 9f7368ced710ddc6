/// Carries a closure to the queue, run loop, timer, session or centre that calls it.
struct Handover<Value>: @unchecked Sendable {
    // Schedulers and subscribers take closures that are not sendable, as Apple's do: whoever schedules somewhere, or
    // subscribes to what calls from elsewhere, says by that that what the closure captures may be used there. The
    // closure is called, and not otherwise touched, at that place.
    private let body: (Value) -> Void

    init(_ body: @escaping (Value) -> Void) {
        self.body = body
    }

    func run(_ value: Value) {
        body(value)
    }
}

extension Handover<Void> {
    func run() {
        body(())
    }
}
