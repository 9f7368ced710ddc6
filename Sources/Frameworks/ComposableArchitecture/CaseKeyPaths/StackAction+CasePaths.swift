public import CasePaths

extension StackAction: CasePathable {
    /// The case paths: those of the action itself, and one for the actions of each element.
    public struct AllCasePaths: Sendable {
        /// The path to the action of any element.
        public var element: AnyCasePath<StackAction, (id: StackElementID, action: Action)> {
            AnyCasePath(
                embed: { .element(id: $0.id, action: $0.action) },
                extract: {
                    guard case .element(let id, let action) = $0 else { return nil }
                    return (id, action)
                })
        }

        /// The path to the removal of an element and those above it.
        public var popFrom: AnyCasePath<StackAction, StackElementID> {
            AnyCasePath(embed: { .popFrom(id: $0) }, extract: { if case .popFrom(let id) = $0 { id } else { nil } })
        }

        /// The path to a new element.
        public var push: AnyCasePath<StackAction, (id: StackElementID, state: State)> {
            AnyCasePath(
                embed: { .push(id: $0.id, state: $0.state) },
                extract: {
                    guard case .push(let id, let state) = $0 else { return nil }
                    return (id, state)
                })
        }

        /// The path to the action of one element: `\.path[id: 0].detail`.
        public subscript(id id: StackElementID) -> AnyCasePath<StackAction, Action> {
            element.only(id)
        }
    }

    /// The case paths.
    public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

/// The actions of a stack, by the type of its elements' feature.
public typealias StackActionOf<R: ReducerProtocol> = StackAction<R.State, R.Action>

/// An action of a stack, whatever its elements are.
package protocol AnyStackAction {
    /// The type of the elements, which `push` carries.
    static var elementType: any Any.Type { get }
}

extension StackAction: AnyStackAction {
    /// The type of the elements, which `push` carries.
    package static var elementType: any Any.Type { State.self }
}
