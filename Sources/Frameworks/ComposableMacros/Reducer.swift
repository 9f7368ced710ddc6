public import ComposableArchitecture

/// Makes a structure a reducer.
///
/// ```swift
/// @Reducer
/// struct Counter {
///     struct State: Equatable { var count = 0 }
///     enum Action: Equatable { case increment }
///
///     var body: some ReducerOf<Self> {
///         Reduce { state, action in
///             state.count += 1
///             return .none
///         }
///     }
/// }
/// ```
///
/// The macro adds the conformance to `ReducerProtocol`, `@CasePathable` to the enums `Action` and `State`, and the result
/// builder to `body`. It adds an empty `State`, `Action` or `body` if none exists.
///
/// An enum lists the features of which one is shown at a time: those that a parent presents, or those on its stack.
///
/// ```swift
/// @Reducer
/// enum Destination {
///     case detail(Detail)
///     case alert(AlertState<Alert>)
///
///     enum Alert { case confirm }
/// }
///
/// extension Destination.State: Equatable {}
/// ```
///
/// It gets enums `State` and `Action` with the states and actions of the features, and a `body` that runs them. `ifLet` and
/// `forEach` need no closure for it: `.ifLet(\.$destination, action: \.destination)`. The enum `CaseScope` has the stores of the
/// features, for `switch store.case`.
@attached(extension, conformances: CaseReducer, ReducerProtocol)
@attached(member, names: named(State), named(Action), named(body), named(CaseScope), named(scope))
@attached(memberAttribute)
public macro Reducer() = #externalMacro(module: "MacroPlugin", type: "ReducerMacro")

/// Makes a structure or an enum a reducer, as ``Reducer()`` does, and lists conformances of the types that it adds to an
/// enum.
///
/// - Parameters:
///   - state: The protocols of `State`: `.equatable`, `.sendable`.
///   - action: The protocols of `Action`.
@attached(extension, conformances: CaseReducer, ReducerProtocol)
@attached(member, names: named(State), named(Action), named(body), named(CaseScope), named(scope))
@attached(memberAttribute)
public macro Reducer(state: SynthesizedConformance..., action: SynthesizedConformance...) =
    #externalMacro(module: "MacroPlugin", type: "ReducerMacro")

/// A protocol to which `State` or `Action` of a `@Reducer` enum conforms.
public enum SynthesizedConformance {
    /// `Codable`.
    case codable
    /// `Decodable`.
    case decodable
    /// `Encodable`.
    case encodable
    /// `Equatable`.
    case equatable
    /// `Hashable`.
    case hashable
    /// `Sendable`.
    case sendable
}

/// Marks a case of a `@Reducer` enum whose associated value is data, not a feature.
@attached(peer)
public macro ReducerCaseIgnored() = #externalMacro(module: "MacroPlugin", type: "ReducerCaseIgnoredMacro")

/// Marks a case of a `@Reducer` enum whose associated value is state without a reducer, whose presentation ends with any of its
/// actions. Alerts and dialogs need it only if their type has another name.
@attached(peer)
public macro ReducerCaseEphemeral() = #externalMacro(module: "MacroPlugin", type: "ReducerCaseEphemeralMacro")

/// The current name of `ReducerProtocol`: `var body: some Reducer<State, Action>`.
///
/// It hides the structure of this name in programs that import only this module.
public typealias Reducer = ReducerProtocol
