/// A store that is also its machine's output: a view reads the values that `polish` writes to it. A machine whose
/// `Output` is its `Store` is an `ObservableObject`.
public protocol StoredOutputType: OutputType, StoreType {}
