/// An action with one case for all actions that a view sends.
public protocol ViewAction<ViewAction> {
    /// The actions of the view.
    associatedtype ViewAction
    /// The case that wraps the actions of the view.
    static func view(_ action: ViewAction) -> Self
}

/// A view that sends the view actions of a feature. `@ViewAction` of the module `ComposableMacros` adds the conformance.
public protocol ViewActionSending<StoreState, StoreAction> {
    /// The state of the feature.
    associatedtype StoreState
    /// The actions of the feature.
    associatedtype StoreAction: ViewAction
    /// The store of the feature.
    var store: Store<StoreState, StoreAction> { get }
}

extension ViewActionSending {
    /// Sends an action of the view to the store.
    @discardableResult
    public func send(_ action: StoreAction.ViewAction) -> StoreTask {
        store.send(.view(action))
    }

    /// Sends an action of the view to the store. The animation has no effect: the client decides how it shows changes.
    @discardableResult
    public func send(_ action: StoreAction.ViewAction, animation: Animation?) -> StoreTask {
        send(action)
    }

    /// Sends an action of the view to the store. The transaction has no effect: the client decides how it shows changes.
    @discardableResult
    public func send(_ action: StoreAction.ViewAction, transaction: Transaction) -> StoreTask {
        send(action)
    }
}
