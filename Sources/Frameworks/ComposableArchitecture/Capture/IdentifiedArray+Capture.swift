package import StateCapture

extension IdentifiedArray: CompositeState, ByteComparable {
    /// Whether equal bytes prove that two arrays are equal.
    package static var isComparedByBytes: Bool {
        StateComparison.isSound(for: Element.self) && StateComparison.isSound(for: ID.self)
    }

    /// Returns the codec of an array of `Identifiable` elements. Returns nil for other elements: the key path of their
    /// ids cannot be stored.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        func key<Known: Identifiable>(_ type: Known.Type) -> Any { \Known.id }
        guard let type = Element.self as? any Identifiable.Type, let id = key(type) as? KeyPath<Element, ID> else {
            reading.refuse(Self.self, at: path)
            return nil
        }
        return reading.codec(of: Element.self, at: path).map { element in
            .elements(element, of: { $0 }, make: { IdentifiedArray($0, id: id) })
        }
    }
}
