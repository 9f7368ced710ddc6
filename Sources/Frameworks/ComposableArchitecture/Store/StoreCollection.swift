/// The stores of the elements of an identified array.
struct StoreCollection<ID: Hashable, State, Action>: RandomAccessCollection {
    private let elements: IdentifiedArray<ID, State>
    private let store: (ID, State) -> Store<State, Action>

    /// Creates the collection from the elements and a closure that returns the store of one of them.
    init(_ elements: IdentifiedArray<ID, State>, store: @escaping (ID, State) -> Store<State, Action>) {
        self.elements = elements
        self.store = store
    }

    var startIndex: Int { elements.startIndex }
    var endIndex: Int { elements.endIndex }

    subscript(position: Int) -> Store<State, Action> {
        let element = elements[position]
        return store(element[keyPath: elements.id], element)
    }
}
