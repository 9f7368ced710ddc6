/// A store that is its machine's output: what `polish` writes into it is what a view reads. A machine whose `Output` is
/// its `Store` is an `ObservableObject`.
public protocol StoredOutputType: OutputType, StoreType {}
