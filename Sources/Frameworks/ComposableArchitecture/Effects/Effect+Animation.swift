extension Effect {
    /// Returns an effect that sends `action` immediately. The animation has no effect: the client decides how it shows changes.
    public static func send(_ action: Output, animation: Animation?) -> Effect {
        .send(action)
    }

    /// Returns this effect. The animation has no effect: the client decides how it shows changes.
    public func animation(_ animation: Animation? = .default) -> Effect {
        self
    }

    /// Returns this effect. The transaction has no effect: the client decides how it shows changes.
    public func transaction(_ transaction: Transaction) -> Effect {
        self
    }
}
