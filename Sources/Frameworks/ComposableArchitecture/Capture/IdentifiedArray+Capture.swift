package import StateCapture

extension IdentifiedArray: CompositeState, ByteComparable {
    /// Whether equal bytes prove that two arrays are equal.
    package static var isComparedByBytes: Bool {
        StateComparison.isSound(for: Element.self) && StateComparison.isSound(for: ID.self)
    }

    /// Returns the codec of an array of `Identifiable` elements. Returns nil for other elements: the key path of their
    /// ids cannot be stored.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        guard let id = ownID else {
            reading.refuse(Self.self, at: path)
            return nil
        }
        return reading.codec(of: Element.self, at: path).map { element in
            let elements = StateCodec<[Element]>.elements(element, of: { $0 }, make: { $0 })
            return StateCodec { array, json in
                try array.checkStoredID()
                try elements.encode(array.elements, &json)
            } decode: { json in
                IdentifiedArray(try elements.decode(json), id: id)
            }
        }
    }

    /// The key path of the `id` that `Identifiable` requires, with which a stored array is restored; nil if it does not lead from an element
    /// to an id of the array.
    private static var ownID: KeyPath<Element, ID>? {
        func key<Known: Identifiable>(_ type: Known.Type) -> Any { \Known.id }
        return (Element.self as? any Identifiable.Type).flatMap { key($0) as? KeyPath<Element, ID> }
    }

    /// Throws an obstacle if a stored array would be restored with another key path.
    func checkStoredID() throws {
        guard let own = Self.ownID, id != own, !hasNameOfOwnID(own) else { return }
        throw CaptureObstacle(
            part: "\(Self.self)", type: "\(id)", advice: "identify the elements by the id of Identifiable")
    }

    /// Returns whether the key path leads to the id of `Identifiable`.
    // Where it is written for the type, it differs from that of generic code although it does. It then has the name of a stored
    // property; that of a computed one has none, and the ids show where it leads.
    private func hasNameOfOwnID(_ own: KeyPath<Element, ID>) -> Bool {
        let name = "\(id)"
        if name == "\\\(Element.self).id" { return true }
        return name.contains("<computed") && elements.allSatisfy { $0[keyPath: id] == $0[keyPath: own] }
    }
}
