/// Makes the members of a state observable, one by one.
///
/// ```swift
/// @Reducer
/// struct Counter {
///     @ObservableState
///     struct State: Equatable {
///         var count = 0
///         @ObservationStateIgnored var cache: [Int: String] = [:]
///     }
/// }
/// ```
///
/// `observe { … store.count … }` then runs again when `count` changes. A hosted feature encodes only the members that a turn has
/// changed, if the structure declares to be `Encodable`. If an extension declares it, the encoding has the names of the storage (`_count`).
///
/// A child state that is observable has an identity. A change of the child's members does not concern those who observe the
/// child's member of the parent; another child in its place does.
@attached(extension, conformances: ObservableState)
@attached(
    member,
    names: named(_$observationRegistrar), named(_$id), named(_$willModify), named(_$takeChanges), named(_$Member),
    named(_$memberNames), named(CodingKeys))
@attached(memberAttribute)
public macro ObservableState() = #externalMacro(module: "MacroPlugin", type: "ObservableStateMacro")

/// Makes one member of a state observable. `@ObservableState` adds it to stored variables.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro ObservationStateTracked() = #externalMacro(module: "MacroPlugin", type: "ObservationStateTrackedMacro")

/// Excludes a member of a state from observation.
@attached(peer)
public macro ObservationStateIgnored() = #externalMacro(module: "MacroPlugin", type: "ObservationStateIgnoredMacro")
