import StateCapture

// Not by its coding, so that the elements and the number of the next one are members of their own, as in all builds.
extension StackState: CapturedByFields {}
