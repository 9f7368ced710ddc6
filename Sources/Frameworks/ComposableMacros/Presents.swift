/// Makes an optional variable the state of a presented child, as the property wrapper `PresentationState` does.
///
/// ```swift
/// struct State {
///     @Presents var destination: Destination.State?
/// }
/// ```
///
/// `$destination` is the `PresentationState` for `ifLet`.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_), prefixed(`$`))
public macro Presents() = #externalMacro(module: "MacroPlugin", type: "PresentsMacro")
