prefix operator /

/// The precedence of `..`: the right path is taken first, as with function composition.
precedencegroup CasePathCompositionPrecedence {
    associativity: right
}

infix operator .. : CasePathCompositionPrecedence

/// The path to the case that `embed` wraps values in: `/AppAction.login`.
///
/// Where nothing says which type the path is to have (`let path = /AppAction.login`), the compiler may take the case's
/// constructor for a root; then write the type: `let path: CasePath<AppAction, LoginAction> = /AppAction.login`, or
/// `CasePath.case(AppAction.login)`.
public prefix func / <Root, Value>(embed: @escaping (Value) -> Root) -> CasePath<Root, Value> {
    .case(embed)
}

/// The path to a case without a value: `/AppAction.logout`.
public prefix func / <Root>(root: Root) -> CasePath<Root, Void> {
    .case(root)
}

/// The path from a type to itself: `/AppAction.self`.
public prefix func / <Root>(type: Root.Type) -> CasePath<Root, Root> {
    .self
}

/// The path itself: `/.self` reads like the other case paths.
public prefix func / <Root, Value>(path: CasePath<Root, Value>) -> CasePath<Root, Value> {
    path
}

/// The function that takes values out of a case, for `compactMap(/AppAction.login)`.
@_disfavoredOverload
public prefix func / <Root, Value>(embed: @escaping (Value) -> Root) -> (Root) -> Value? {
    CasePath.case(embed).extract(from:)
}

/// The function that tells whether a root is in a case without a value, for `compactMap(/AppAction.logout)`.
@_disfavoredOverload
public prefix func / <Root>(root: Root) -> (Root) -> Void? {
    CasePath.case(root).extract(from:)
}

/// The way through two cases.
public func .. <A, B, C>(lhs: CasePath<A, B>, rhs: CasePath<B, C>) -> CasePath<A, C> {
    lhs.appending(path: rhs)
}

/// The way through a case and the case that a function wraps in.
public func .. <A, B, C>(lhs: CasePath<A, B>, rhs: @escaping (C) -> B) -> CasePath<A, C> {
    lhs.appending(path: .case(rhs))
}

/// The way through the cases that two functions wrap in.
public func .. <A, B, C>(lhs: @escaping (B) -> A, rhs: @escaping (C) -> B) -> CasePath<A, C> {
    CasePath.case(lhs).appending(path: .case(rhs))
}

/// Extraction after extraction, for `compactMap(/Result.success .. Optional.some)`.
@_disfavoredOverload
public func .. <A, B, C>(lhs: CasePath<A, B>, rhs: @escaping (C) -> B) -> (A) -> C? {
    lhs.appending(path: .case(rhs)).extraction
}

/// Extraction after extraction, for `compactMap(/Result.success .. /Optional.some)`.
@_disfavoredOverload
public func .. <A, B, C>(lhs: CasePath<A, B>, rhs: CasePath<B, C>) -> (A) -> C? {
    lhs.appending(path: rhs).extraction
}

/// Extraction after extraction, for a function that extracts: `compactMap(inner .. /Inner.value)`.
///
/// The right side is not the constructor of a case: then the path `/Outer.inner .. /Inner.value` could also be read as two
/// functions of constructors.
@_disfavoredOverload
public func .. <A, B, C>(lhs: @escaping (A) -> B?, rhs: CasePath<B, C>) -> (A) -> C? {
    { lhs($0).flatMap(rhs.extraction) }
}
