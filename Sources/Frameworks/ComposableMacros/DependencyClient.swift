/// Makes the functions of a client report an issue until they are implemented.
///
/// ```swift
/// @DependencyClient
/// struct FactClient: Sendable {
///     var fetch: @Sendable (_ about: Int) async throws -> String
/// }
/// ```
///
/// `FactClient()` is then a value for tests: a function that a test has not overridden fails the test and throws. The macro
/// adds this initializer and one that has a parameter for each property, and `@DependencyEndpoint` to the functions.
@attached(member, names: named(init))
@attached(memberAttribute)
public macro DependencyClient() = #externalMacro(module: "MacroPlugin", type: "DependencyClientMacro")

/// Makes a property with the type of a function report an issue until it is set.
///
/// A function that returns a value and does not throw needs a default value. A function whose parameters have names gets
/// a method with these labels. A parameter pack is not possible, and a variadic parameter only without a default value and a method.
///
/// - Parameter method: The name of the method, if it is to differ from that of the property. The function then has a method also if
///   its parameters have no names.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: arbitrary)
public macro DependencyEndpoint(method: String = "") =
    #externalMacro(module: "MacroPlugin", type: "DependencyEndpointMacro")

/// Excludes a property from `@DependencyClient`.
@attached(peer)
public macro DependencyEndpointIgnored() =
    #externalMacro(module: "MacroPlugin", type: "DependencyEndpointIgnoredMacro")
