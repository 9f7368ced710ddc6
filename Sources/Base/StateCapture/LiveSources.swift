import CRuntime
import Locking

/// A value that an operator has received, and from which it has made a source that is still subscribed.
public struct LiveSource<Element>: Codable {
    /// The number of the source, which its parts have in their keys.
    public let number: Int
    /// The value.
    public let element: StoredElement<Element>
}

/// The sources that one operator has made from the values that it received, such as the publishers of `flatMap`.
///
/// The values of the sources that are subscribed are captured. When the machine is restored, the operator makes the
/// sources from them again, and the parts of each source find their state by its number. Parts that are added outside of the
/// session's loop are not captured, because the registry is confined to it; the values are captured in any case.
public final class LiveSources<Element> {
    /// The identity of a source. A number is used again after the end of a source, and an identity is not.
    public struct ID: Equatable, Sendable {
        /// The number of the source.
        public let number: Int
        fileprivate let serial: Int
    }

    // Weak: the registry retains the operator, which retains this object.
    private weak let registry: StateRegistry?
    private let prefix: String
    private let lock = WordLock()
    /// The captured values, oldest first. Guarded by `lock`, as are the properties below.
    private var states: [LiveSource<Element>] = []
    private var ids: [ID] = []
    private var lastSerial = 0

    init(_ registry: StateRegistry, prefix: String) {
        self.registry = registry
        self.prefix = prefix
    }

    /// Whether the values can be captured.
    public static var canCapture: Bool {
        Element.self == (any Error).self || StateTypes.isCapturable(Element.self)
    }

    /// The values of the sources that are subscribed, oldest first.
    public var live: [LiveSource<Element>] { lock.withLock { states } }

    /// The identities of the sources that are subscribed, oldest first.
    public var identities: [ID] { lock.withLock { ids } }

    /// Adds the source that is about to be made from a value. Its parts replace those of a former source with its number.
    public func begin(_ element: Element) -> ID {
        let id = lock.withLock {
            // Low numbers, so that the number of keys depends only on the number of sources at a time.
            var number = 0
            while ids.contains(where: { $0.number == number }) { number += 1 }
            lastSerial += 1
            let id = ID(number: number, serial: lastSerial)
            ids.append(id)
            states.append(LiveSource(number: number, element: StoredElement(element)))
            return id
        }
        registry?.beginScope(scope(of: id))
        return id
    }

    /// Removes a source that has ended.
    public func end(_ id: ID) {
        lock.withLock {
            guard let index = ids.firstIndex(of: id) else { return }
            ids.remove(at: index)
            states.remove(at: index)
        }
    }

    /// Removes all sources except one.
    public func endAll(except id: ID) {
        for other in identities where other != id { end(other) }
    }

    /// Puts captured sources back.
    ///
    /// - Returns: Their identities and values, oldest first.
    public func restore(_ stored: [LiveSource<Element>]) -> [(id: ID, element: Element)] {
        lock.withLock {
            states = stored
            ids = stored.map { source in
                lastSerial += 1
                return ID(number: source.number, serial: lastSerial)
            }
            return Array(zip(ids, stored.map(\.element.value)))
        }
    }

    /// Returns the result of a closure that makes a source or subscribes to it.
    public func wire<Result, Failure: Error>(
        _ id: ID, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let registry, registry.acceptsParts else { return try StateRegistry.withoutRegistry(body) }
        return try registry.wire(inScope: scope(of: id), body)
    }

    private func scope(of id: ID) -> String { "\(prefix)\(id.number)/" }
}

// An error is an existential, which cannot be stored. Operators that receive errors, such as the handler of a retry,
// usually wait or not, whatever the error is. So a source is made again from a substitute.
/// A captured value from which an operator has made a source.
public struct StoredElement<Element>: Codable {
    /// The value.
    public let value: Element

    init(_ value: Element) {
        self.value = value
    }

    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        if let error = RestoredError() as any Error as? Element, Element.self == (any Error).self {
            value = error
        } else {
            value = try StoredValue<Element>(from: decoder).value
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        if Element.self == (any Error).self {
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        } else {
            try StoredValue(value).encode(to: encoder)
        }
    }
}

/// The error that stands for one before a machine was restored, because errors of any type cannot be captured.
private struct RestoredError: Error {}
