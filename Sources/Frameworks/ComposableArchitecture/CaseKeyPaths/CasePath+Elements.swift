import CasePaths

extension CasePath {
    /// Returns the path to the actions of one element, from the path to those of all elements.
    func only<ID: Equatable, Action>(_ id: ID) -> CasePath<Root, Action> where Value == (id: ID, action: Action) {
        CasePath<Root, Action>(
            embed: { embed((id: id, action: $0)) },
            extract: { root in extract(from: root).flatMap { $0.id == id ? $0.action : nil } })
    }
}
