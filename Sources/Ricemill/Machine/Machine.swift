/// What a view model inherits from: `final class ViewModel: Machine<ViewModel>` with its parts as nested types and a
/// `static func polish`, or `final class ViewModel: Machine<ViewModel.Resolver>` with a nested resolver.
///
/// The alias names none of its argument's associated types: a class that names itself in its superclass would be a
/// circular reference otherwise.
public typealias Machine<R: ResolverType> = PrimitiveMachine<R> & ResolverType
