import CombineCore

/// Type erasure of the most common input publishers with specialized code.
///
/// Unspecialized erasure behaves in the same way. But then every subscription carries metadata of the publisher's type,
/// which takes about 150 bytes per input in every machine, and every value takes an indirection.
enum SpecializedErasure {
    static func erase<P: Publisher>(_ publisher: P) -> AnyPublisher<P.Output, P.Failure> {
        // A cheap comparison before the casts, none of which matches a publisher that can fail.
        if P.Failure.self == Never.self, let erased = specialized(publisher) as? AnyPublisher<P.Output, P.Failure> {
            return erased
        }
        return publisher.eraseToAnyPublisher()
    }

    private static func specialized(_ publisher: Any) -> Any? {
        switch publisher {
        case let subject as PassthroughSubject<Void, Never>: subject.eraseToAnyPublisher()
        case let subject as PassthroughSubject<Bool, Never>: subject.eraseToAnyPublisher()
        case let subject as PassthroughSubject<Int, Never>: subject.eraseToAnyPublisher()
        case let subject as PassthroughSubject<String, Never>: subject.eraseToAnyPublisher()
        case let property as Published<Bool>.Publisher: property.eraseToAnyPublisher()
        case let property as Published<Int>.Publisher: property.eraseToAnyPublisher()
        case let property as Published<String>.Publisher: property.eraseToAnyPublisher()
        default: nil
        }
    }
}
