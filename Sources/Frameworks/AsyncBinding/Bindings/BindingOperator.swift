/// Binds the target on the left to the values on the right.
infix operator <~
