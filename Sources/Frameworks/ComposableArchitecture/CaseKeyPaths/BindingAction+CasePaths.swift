public import CasePaths

extension BindingAction: CasePathable {
    /// The case paths: one for each property that can be set.
    @dynamicMemberLookup
    public struct AllCasePaths: Sendable {
        /// The path to the actions that set a property: `\.binding.text`.
        public subscript<Value: Equatable>(
            dynamicMember keyPath: WritableKeyPath<Root, Value>
        ) -> AnyCasePath<BindingAction, Value> {
            AnyCasePath(embed: { .set(keyPath, $0) }, extract: { $0.value(settingTo: keyPath) })
        }

        /// The path to the actions that set a property with the wrapper `BindableState`: `\.binding.$text`.
        public subscript<Value: Equatable>(
            dynamicMember keyPath: WritableKeyPath<Root, BindableState<Value>>
        ) -> AnyCasePath<BindingAction, Value> {
            AnyCasePath(embed: { .set(keyPath, $0) }, extract: { $0.value(settingTo: keyPath) })
        }
    }

    /// The case paths.
    public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
