public import CombineCore

/// The state of a machine. Only ``ResolverType/polish(input:store:extra:)`` sees it, unless it is the machine's output as
/// well, see ``StoredOutputType``.
public protocol StoreType: ObservableObject {}
