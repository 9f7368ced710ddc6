public import CombineCore

/// An input class whose `@Published` properties a view can bind to. An ``InputProxy`` exposes each of them as a
/// ``Binding``, and each subject as a ``SubjectProxy``.
public protocol BindableInputType: InputType, ObservableObject {}
