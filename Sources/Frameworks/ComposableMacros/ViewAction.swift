public import ComposableArchitecture

/// Lets a view send the view actions of a feature without naming their case: `send(.saveTapped)`.
///
/// ```swift
/// @ViewAction(for: Editor.self)
/// struct EditorPage {
///     let store: StoreOf<Editor>
///
///     func save() { send(.saveTapped) }
/// }
/// ```
///
/// - Parameter feature: The feature. Its actions conform to `ViewAction`.
@attached(extension, conformances: ViewActionSending)
public macro ViewAction<Feature: ReducerProtocol>(for feature: Feature.Type) =
    #externalMacro(module: "MacroPlugin", type: "ViewActionMacro")
where Feature.Action: ComposableArchitecture.ViewAction
