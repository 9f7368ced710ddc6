public import CombineCore

/// An input class whose `@Published` properties a view may bind to: an ``InputProxy`` gives each of them as a
/// ``Binding``, beside the subjects that it gives as ``SubjectProxy``.
public protocol BindableInputType: InputType, ObservableObject {}
