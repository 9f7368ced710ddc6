public import CasePaths

extension PresentationAction: CasePathable {
    /// The case paths: those of the action itself, and those of the presented feature's actions.
    @dynamicMemberLookup
    public struct AllCasePaths: Sendable {
        /// The path to the dismissal.
        public var dismiss: AnyCasePath<PresentationAction, Void> {
            AnyCasePath(embed: { .dismiss }, extract: { if case .dismiss = $0 { () } else { nil } })
        }

        /// The path to the actions of the presented feature.
        public var presented: AnyCasePath<PresentationAction, Action> {
            AnyCasePath(
                embed: { .presented($0) }, extract: { if case .presented(let action) = $0 { action } else { nil } })
        }

        /// The path to a case of the presented feature's actions, so that `presented` can be left out.
        public subscript<Member>(
            dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
        ) -> AnyCasePath<PresentationAction, Member> where Action: CasePathable {
            presented.appending(path: Action.allCasePaths[keyPath: keyPath])
        }
    }

    /// The case paths.
    public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

/// The actions of a presented child, by the type of its feature.
public typealias PresentationActionOf<R: ReducerProtocol> = PresentationAction<R.Action>
