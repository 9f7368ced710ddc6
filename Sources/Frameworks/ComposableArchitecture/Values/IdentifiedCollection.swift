/// A collection whose elements can be read by id.
public protocol _IdentifiedCollection<ID, Element>: Collection {
    /// The type of the ids.
    associatedtype ID: Hashable
    /// The type of the collection of all ids.
    associatedtype IDs: Collection<ID>

    /// The ids, in the order of the elements.
    var ids: IDs { get }

    /// The element with an id; nil if the id is not in the collection.
    subscript(id id: ID) -> Element? { get }
}

/// A collection whose elements can be read and replaced by id.
public protocol _MutableIdentifiedCollection<ID, Element>: _IdentifiedCollection, MutableCollection {
    /// The element with an id. Setting nil removes the element.
    subscript(id id: ID) -> Element? { get set }
}

extension IdentifiedArray: _MutableIdentifiedCollection {}
