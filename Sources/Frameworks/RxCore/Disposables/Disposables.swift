/// A namespace for functions that create disposables.
public struct Disposables {
    private init() {}

    /// Returns a disposable that does nothing.
    public static func create() -> any Disposable {
        EmptyDisposable()
    }

    /// Returns a disposable that runs `dispose` the first time it is disposed of. May be used from any thread.
    public static func create(with dispose: @escaping () -> Void) -> any Cancelable {
        ActionDisposable(dispose)
    }

    /// Returns a disposable that disposes of both disposables.
    public static func create(_ disposable1: any Disposable, _ disposable2: any Disposable) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2)
    }

    /// Returns a disposable that disposes of all three disposables.
    public static func create(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2, disposable3)
    }

    /// Returns a disposable that disposes of four or more disposables.
    public static func create(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable,
        _ disposable4: any Disposable, _ disposables: any Disposable...
    ) -> any Cancelable {
        CompositeDisposable(disposables: [disposable1, disposable2, disposable3, disposable4] + disposables)
    }

    /// Returns a disposable that disposes of all disposables in the array.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }
}

/// A disposable without an effect.
private struct EmptyDisposable: Disposable {
    func dispose() {}
}
