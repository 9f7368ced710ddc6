@_exported public import CasePaths

/// Adds a case path for each case of an enum, so that key paths lead to the cases.
///
/// ```swift
/// @CasePathable
/// @dynamicMemberLookup
/// enum Destination {
///     case alert(String)
///     case settings(Settings)
/// }
///
/// destination.is(\.alert)                       // whether it is an alert
/// destination.settings                          // the associated value, or nil
/// destination.modify(\.settings) { $0.isOn = true }
/// destination[case: \.alert] = "No connection"  // no effect in another case
/// ```
@attached(extension, conformances: CasePathable, CasePathIterable)
@attached(
    member,
    names: named(AllCasePaths), named(allCasePaths), named(_$cases), named(_$Element), named(_$Iterator), named(_$Root))
public macro CasePathable() = #externalMacro(module: "MacroPlugin", type: "CasePathableMacro")
