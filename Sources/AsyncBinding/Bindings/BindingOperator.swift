/// Binds what is on the right to what is on the left.
infix operator <~
