/// Makes disposables.
public struct Disposables {
    private init() {}

    /// One that does nothing.
    public static func create() -> any Disposable {
        NothingToDispose()
    }

    /// One that runs `dispose` the first time that it is disposed of. From any thread.
    public static func create(with dispose: @escaping () -> Void) -> any Cancelable {
        ActionDisposable(dispose)
    }

    /// One that disposes of both.
    public static func create(_ disposable1: any Disposable, _ disposable2: any Disposable) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2)
    }

    /// One that disposes of all three.
    public static func create(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2, disposable3)
    }

    /// One that disposes of all four and of those that follow.
    public static func create(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable,
        _ disposable4: any Disposable, _ disposables: any Disposable...
    ) -> any Cancelable {
        CompositeDisposable(disposables: [disposable1, disposable2, disposable3, disposable4] + disposables)
    }

    /// One that disposes of all of them.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }
}

/// The disposable of what has no end to bring about.
private struct NothingToDispose: Disposable {
    func dispose() {}
}
