/// What a view may tell a machine: a structure or class of subjects. Outside of the machine its properties can only be
/// sent to, through an ``InputProxy``; inside of ``ResolverType/polish(input:store:extra:)`` they can only be
/// subscribed to, through a ``Publishing``.
public protocol InputType {}
