@_exported public import CasePathMacros
@_exported public import ComposableArchitecture
