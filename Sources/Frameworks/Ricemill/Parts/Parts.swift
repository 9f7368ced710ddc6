public import CombineCore

/// The inputs of a machine: a structure or class of subjects.
///
/// Outside the machine, its properties can only be sent to, through an ``InputProxy``. Inside
/// ``ResolverType/polish(input:store:extra:)``, they can only be subscribed to, through a ``Publishing``.
public protocol InputType {}

/// An input class whose `@Published` properties a view can bind to. An ``InputProxy`` exposes each of them as a
/// ``Binding``, and each subject as a ``SubjectProxy``.
public protocol BindableInputType: InputType, ObservableObject {}

/// The state of a machine. It is visible only to ``ResolverType/polish(input:store:extra:)``, unless it is also the
/// machine's output; see ``StoredOutputType``.
public protocol StoreType: ObservableObject {}

/// The outputs of a machine: a structure or class of publishers, `@Published` properties and values. A view reads them
/// through an ``OutputProxy``.
public protocol OutputType {}

/// A store that is also its machine's output: a view reads the values that `polish` writes to it. A machine whose
/// `Output` is its `Store` is an `ObservableObject`.
public protocol StoredOutputType: OutputType, StoreType {}

/// The external dependencies of a machine: clients, schedulers, settings. They are passed to its initializer and
/// visible only to ``ResolverType/polish(input:store:extra:)``.
public protocol ExtraType {}
