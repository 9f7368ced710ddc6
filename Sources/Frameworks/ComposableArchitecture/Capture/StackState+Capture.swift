import StateCapture

// The coded form has no number of the next element: a restored stack would use the ids of popped elements again.
extension StackState: CapturedByFields {}
