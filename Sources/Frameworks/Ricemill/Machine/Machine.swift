/// The superclass of a view model: `final class ViewModel: Machine<ViewModel>` with its parts as nested types and a
/// `static func polish`, or `final class ViewModel: Machine<ViewModel.Resolver>` with a nested resolver.
///
/// The alias must not name associated types of its argument. Otherwise a class that names itself in its superclass
/// would be a circular reference.
public typealias Machine<R: ResolverType> = PrimitiveMachine<R> & ResolverType
