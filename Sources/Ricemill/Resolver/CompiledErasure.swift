import CombineCore

/// Erases publishers of the types that most inputs have with code that is compiled for them. Erasing one of a type that is
/// only known when the program runs does the same, but every subscription then carries that type's metadata with it: some
/// 150 bytes an input, in every machine, and a detour for every value.
enum CompiledErasure {
    /// The publisher without its type.
    static func erase<P: Publisher>(_ publisher: P) -> AnyPublisher<P.Output, P.Failure> {
        if P.Failure.self == Never.self, let erased = compiled(publisher) as? AnyPublisher<P.Output, P.Failure> {
            return erased
        }
        return publisher.eraseToAnyPublisher()
    }

    private static func compiled(_ publisher: Any) -> Any? {
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
