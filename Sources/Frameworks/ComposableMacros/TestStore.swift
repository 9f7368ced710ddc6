public import ComposableArchitecture

/// A test store of a reducer type: `TestStore<Counter.State, Counter.Action>`, as in the current Composable Architecture.
///
/// It hides the class of this name, which has more parameters, in programs that import only this module.
public typealias TestStore<State, Action> = ComposableArchitecture.TestStore<State, State, Action, Action, Void>
