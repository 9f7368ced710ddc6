public import ComposableArchitecture

/// An effect of a reducer: `Effect<Action>`, as in the current Composable Architecture.
///
/// It hides the structure of this name, whose second parameter is the failure, in programs that import only this module.
public typealias Effect<Action> = ComposableArchitecture.Effect<Action, Never>
