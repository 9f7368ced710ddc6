public import Foundation

extension IdentifiedArray {
    /// Removes the elements at the given positions.
    public mutating func remove(atOffsets offsets: IndexSet) {
        for offset in offsets.reversed() { remove(at: offset) }
    }

    /// Moves the elements at the given positions before the element at `destination`, keeping their order.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let moved = source.map { self[$0] }
        let place = destination - source.count { $0 < destination }
        for offset in source.reversed() { remove(at: offset) }
        insert(contentsOf: moved, at: place)
    }
}
