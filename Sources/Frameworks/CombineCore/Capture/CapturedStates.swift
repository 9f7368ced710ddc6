import Foundation
public import StateCapture

/// The state of a part of which only matters whether it has ended.
@usableFromInline
struct LiveState: Codable {
    @usableFromInline
    init() {}
}

@usableFromInline
struct ValueState<Value>: Codable {
    @usableFromInline var value: StoredValue<Value>

    @usableFromInline
    init(_ value: Value) {
        self.value = StoredValue(value)
    }
}

/// A state that is a value or its absence.
@usableFromInline
struct OptionalState<Value>: Codable {
    @usableFromInline var value: StoredOptional<Value>

    @usableFromInline
    init(_ value: Value?) {
        self.value = StoredOptional(value)
    }
}

/// A completion in a captured state. The error is stored if its type is `Codable`.
@usableFromInline
enum StoredCompletion<Failure: Error>: Codable, ByteComparable {
    case finished
    /// A failure; the error is nil if its type is not `Codable`.
    case failure(Failure?)

    @usableFromInline
    init(_ completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: self = .finished
        case .failure(let error): self = .failure(error)
        }
    }

    @usableFromInline
    init?(_ completion: Subscribers.Completion<Failure>?) {
        guard let completion else { return nil }
        self.init(completion)
    }

    /// Decodes the ``json`` of a completion; nil if it is that of another type.
    init?(json: String) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = decoded
    }

    /// The completion as JSON; nil if its error cannot be encoded.
    var json: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// The completion. A failure whose error could not be stored becomes the end of the stream.
    @usableFromInline var completion: Subscribers.Completion<Failure> {
        if case .failure(let error?) = self { .failure(error) } else { .finished }
    }

    private enum CodingKeys: CodingKey {
        case failed
        case error
    }

    @usableFromInline
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(Bool.self, forKey: .failed) else {
            self = .finished
            return
        }
        guard let type = Failure.self as? any Decodable.Type, container.contains(.error) else {
            self = .failure(nil)
            return
        }
        self = .failure(try container.decode(type, forKey: .error) as? Failure)
    }

    @usableFromInline
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .finished: try container.encode(false, forKey: .failed)
        case .failure(let error):
            try container.encode(true, forKey: .failed)
            if Failure.self is any Codable.Type, let error = error as? any Encodable {
                try container.encode(error, forKey: .error)
            }
        }
    }

    @usableFromInline package static var isComparedByBytes: Bool { StateComparison.isSound(for: Failure.self) }
}

/// A value or a completion that waits for its delivery.
@usableFromInline
enum StoredEvent<Value, Failure: Error>: Codable, ByteComparable {
    case value(Value)
    case completion(Subscribers.Completion<Failure>)

    private enum CodingKeys: CodingKey {
        case value
        case completion
    }

    @usableFromInline
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let completion = try container.decodeIfPresent(StoredCompletion<Failure>.self, forKey: .completion) {
            self = .completion(completion.completion)
        } else {
            self = .value(try container.decode(StoredValue<Value>.self, forKey: .value).value)
        }
    }

    @usableFromInline
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .value(let value): try container.encode(StoredValue(value), forKey: .value)
        case .completion(let completion):
            try container.encode(StoredCompletion(completion), forKey: .completion)
        }
    }

    @usableFromInline package static var isComparedByBytes: Bool {
        StateComparison.isSound(for: Value.self) && StateComparison.isSound(for: Failure.self)
    }
}

extension Queue: Codable {
    @usableFromInline
    package init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init()
        while !container.isAtEnd { append(try container.decode(StoredValue<Element>.self).value) }
    }

    /// Encodes the elements, the next one first.
    @usableFromInline
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var rest = self
        while let element = rest.removeFirst() { try container.encode(StoredValue(element)) }
    }
}
