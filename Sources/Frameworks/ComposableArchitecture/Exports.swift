// The original re-exports these modules, so code that imports it alone uses their names.
@_exported public import CasePaths
@_exported public import CombineCore
@_exported public import CombineSchedulers
@_exported public import IssueReporting
