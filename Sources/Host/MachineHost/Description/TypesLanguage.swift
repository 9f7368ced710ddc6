/// The languages in which types of machines are written.
package enum TypesLanguage: String, CaseIterable, Sendable {
    case typescript
    case swift
}
