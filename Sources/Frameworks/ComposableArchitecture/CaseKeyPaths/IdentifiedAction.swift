public import CasePaths

/// An action of one element of an identified array: `case rows(IdentifiedActionOf<Row>)`.
public enum IdentifiedAction<ID: Hashable & Sendable, Action>: CasePathable {
    /// An action of the element with an id.
    case element(id: ID, action: Action)

    /// The case paths: one for all elements, and one for each.
    public struct AllCasePaths: Sendable {
        /// The path to the action of any element.
        public var element: AnyCasePath<IdentifiedAction, (id: ID, action: Action)> {
            AnyCasePath(
                embed: { .element(id: $0.id, action: $0.action) },
                extract: {
                    guard case .element(let id, let action) = $0 else { return nil }
                    return (id, action)
                })
        }

        /// The path to the action of one element: `\.rows[id: 3].delete`.
        public subscript(id id: ID) -> AnyCasePath<IdentifiedAction, Action> {
            element.only(id)
        }
    }

    /// The case paths.
    public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension IdentifiedAction: Equatable where Action: Equatable {}
extension IdentifiedAction: Hashable where Action: Hashable {}
extension IdentifiedAction: Sendable where Action: Sendable {}
extension IdentifiedAction: Decodable where ID: Decodable, Action: Decodable {}
extension IdentifiedAction: Encodable where ID: Encodable, Action: Encodable {}

/// The actions of the elements of an identified array, by the type of their feature.
public typealias IdentifiedActionOf<R: ReducerProtocol> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable, R.State.ID: Sendable
