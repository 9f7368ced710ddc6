/// The inputs of a machine: a structure or class of subjects.
///
/// Outside the machine, its properties can only be sent to, through an ``InputProxy``. Inside
/// ``ResolverType/polish(input:store:extra:)``, they can only be subscribed to, through a ``Publishing``.
public protocol InputType {}
