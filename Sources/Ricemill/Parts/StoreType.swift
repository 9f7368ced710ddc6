public import CombineCore

/// The state of a machine. It is visible only to ``ResolverType/polish(input:store:extra:)``, unless it is also the
/// machine's output; see ``StoredOutputType``.
public protocol StoreType: ObservableObject {}
