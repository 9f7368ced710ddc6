prefix operator /

/// The precedence of `..`, which is right-associative like function composition.
precedencegroup CasePathCompositionPrecedence {
    associativity: right
}

infix operator .. : CasePathCompositionPrecedence

/// Returns the path to the case in which `embed` wraps values: `/AppAction.login`.
///
/// Without a type annotation (`let path = /AppAction.login`), the compiler may take the case's constructor for a root.
/// In that case, state the type: `let path: CasePath<AppAction, LoginAction> = /AppAction.login`, or write
/// `CasePath.case(AppAction.login)`.
public prefix func / <Root, Value>(embed: @escaping (Value) -> Root) -> CasePath<Root, Value> {
    .case(embed)
}

/// Returns the path to a case without a payload: `/AppAction.logout`.
public prefix func / <Root>(root: Root) -> CasePath<Root, Void> {
    .case(root)
}

/// Returns the path from a type to itself: `/AppAction.self`.
public prefix func / <Root>(type: Root.Type) -> CasePath<Root, Root> {
    .self
}

/// Returns the path unchanged, so that `/.self` reads like other case paths.
public prefix func / <Root, Value>(path: CasePath<Root, Value>) -> CasePath<Root, Value> {
    path
}

/// Returns a function that extracts values from a case, for `compactMap(/AppAction.login)`.
@_disfavoredOverload
public prefix func / <Root, Value>(embed: @escaping (Value) -> Root) -> (Root) -> Value? {
    CasePath.case(embed).extract(from:)
}

/// Returns a function that matches a case without a payload, for `compactMap(/AppAction.logout)`.
@_disfavoredOverload
public prefix func / <Root>(root: Root) -> (Root) -> Void? {
    CasePath.case(root).extract(from:)
}

/// Returns the path through two cases.
public func .. <A, B, C>(lhs: CasePath<A, B>, rhs: CasePath<B, C>) -> CasePath<A, C> {
    lhs.appending(path: rhs)
}

/// Returns the path through a case and the case in which a function wraps values.
public func .. <A, B, C>(lhs: CasePath<A, B>, rhs: @escaping (C) -> B) -> CasePath<A, C> {
    lhs.appending(path: .case(rhs))
}

/// Returns the path through the cases in which two functions wrap values.
public func .. <A, B, C>(lhs: @escaping (B) -> A, rhs: @escaping (C) -> B) -> CasePath<A, C> {
    CasePath.case(lhs).appending(path: .case(rhs))
}

/// Returns the composed extraction, for `compactMap(/Result.success .. Optional.some)`.
@_disfavoredOverload
public func .. <A, B, C>(lhs: CasePath<A, B>, rhs: @escaping (C) -> B) -> (A) -> C? {
    lhs.appending(path: .case(rhs)).extraction
}

/// Returns the composed extraction, for `compactMap(/Result.success .. /Optional.some)`.
@_disfavoredOverload
public func .. <A, B, C>(lhs: CasePath<A, B>, rhs: CasePath<B, C>) -> (A) -> C? {
    lhs.appending(path: rhs).extraction
}

/// Returns the composed extraction, for a function that extracts: `compactMap(inner .. /Inner.value)`.
///
/// There is no overload with a constructor on the right: it would make `/Outer.inner .. /Inner.value` ambiguous.
@_disfavoredOverload
public func .. <A, B, C>(lhs: @escaping (A) -> B?, rhs: CasePath<B, C>) -> (A) -> C? {
    { lhs($0).flatMap(rhs.extraction) }
}
