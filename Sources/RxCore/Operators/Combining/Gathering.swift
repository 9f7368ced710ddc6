/// Gathers the elements of any number of streams of one type: the latest of each, or those that have the same place.
final class Gathering<Element, Result> {
    private let observer: AnyObserver<Result>
    private let selector: ([Element]) throws -> Result
    private let serializer = Serializer()
    private let isZip: Bool
    /// These are used inside the serializer. Without `isZip` a queue holds the latest element only.
    private var queues: [[Element]]
    private var hasEnded: [Bool]

    init(
        _ observer: AnyObserver<Result>, _ group: CompositeDisposable, count: Int, isZip: Bool,
        _ selector: @escaping ([Element]) throws -> Result
    ) {
        self.observer = observer
        self.selector = selector
        self.isZip = isZip
        queues = Array(repeating: [], count: count)
        hasEnded = Array(repeating: false, count: count)
        if count == 0 { completeEmpty() }
    }

    func receive(_ event: Event<Element>, from place: Int) {
        serializer.run {
            switch event {
            case .next(let element): add(element, at: place)
            case .error(let error): observer.onError(error)
            case .completed:
                hasEnded[place] = true
                completeIfDone()
            }
        }
    }

    private func add(_ element: Element, at place: Int) {
        if !isZip { queues[place].removeAll() }
        queues[place].append(element)
        guard queues.allSatisfy({ !$0.isEmpty }) else { return completeIfDone() }
        let gathered = queues.compactMap(\.first)
        if isZip {
            for place in queues.indices { queues[place].removeFirst() }
        }
        observer.on(Event.next(gathered).map(selector))
        completeIfDone()
    }

    private func completeIfDone() {
        let isOver =
            isZip
            ? zip(hasEnded, queues).contains { $0 && $1.isEmpty }
            : hasEnded.allSatisfy { $0 } || zip(hasEnded, queues).contains { $0 && $1.isEmpty }
        if isOver { observer.onCompleted() }
    }

    /// Of no streams there is one array, the empty one.
    private func completeEmpty() {
        observer.on(Event.next([]).map(selector))
        observer.onCompleted()
    }
}
