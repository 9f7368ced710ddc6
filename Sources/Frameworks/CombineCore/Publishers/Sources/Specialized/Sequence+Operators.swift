// These operators run when they are applied, as Apple's do, not when a subscriber arrives: the elements are known, so the
// stream needs no conduit for them.

extension Publishers.Sequence where Failure == Never {
    /// Returns a publisher of the smallest element according to `areInIncreasingOrder`. It is empty if the sequence is.
    /// The closure runs immediately.
    @inlinable
    public func min(
        by areInIncreasingOrder: (Elements.Element, Elements.Element)
            -> Bool
    ) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.min(by: areInIncreasingOrder))
    }

    /// Returns a publisher of the largest element according to `areInIncreasingOrder`. It is empty if the sequence is.
    /// The closure runs immediately.
    @inlinable
    public func max(
        by areInIncreasingOrder: (Elements.Element, Elements.Element)
            -> Bool
    ) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.max(by: areInIncreasingOrder))
    }

    /// Returns a publisher of the first element that satisfies `predicate`, or of no element if
    /// none does. The closure runs immediately.
    @inlinable
    public func first(where predicate: (Elements.Element) -> Bool) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.first(where: predicate))
    }
}

extension Publishers.Sequence {
    /// Returns a publisher that reports whether all elements satisfy `predicate`, which runs immediately.
    @inlinable
    public func allSatisfy(_ predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(.success(sequence.allSatisfy(predicate)))
    }

    /// Returns a publisher that reports whether all elements satisfy `predicate`, which runs immediately. It fails if
    /// `predicate` throws.
    @inlinable
    public func tryAllSatisfy(_ predicate: (Elements.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        Result<Bool, any Error>.Publisher(Result<Bool, any Error> { try sequence.allSatisfy(predicate) })
    }

    /// Returns a publisher of an array with all elements.
    @inlinable
    public func collect() -> Result<[Elements.Element], Failure>.Publisher {
        Result<[Elements.Element], Failure>.Publisher(.success(Array(sequence)))
    }

    /// Returns a publisher of the non-nil results of `transform`, which runs immediately.
    @inlinable
    public func compactMap<T>(_ transform: (Elements.Element) -> T?) -> Publishers.Sequence<[T], Failure> {
        Publishers.Sequence<[T], Failure>(sequence: sequence.compactMap(transform))
    }

    /// Returns a publisher that reports whether an element satisfies `predicate`, which runs immediately.
    @inlinable
    public func contains(where predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(.success(sequence.contains(where: predicate)))
    }

    /// Returns a publisher that reports whether an element satisfies `predicate`, which runs immediately. It fails if
    /// `predicate` throws.
    @inlinable
    public func tryContains(where predicate: (Elements.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        Result<Bool, any Error>.Publisher(Result<Bool, any Error> { try sequence.contains(where: predicate) })
    }

    /// Returns a publisher that omits the first elements that satisfy `predicate`. The closure runs immediately.
    @inlinable
    public func drop(
        while predicate: (Elements.Element)
            -> Bool
    ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
        Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: sequence.drop(while: predicate))
    }

    /// Returns a publisher that omits the first `count` elements.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
        Publishers.Sequence<DropFirstSequence<Elements>, Failure>(sequence: sequence.dropFirst(count))
    }

    /// Returns a publisher of the elements for which `isIncluded` returns true. The closure runs immediately.
    @inlinable
    public func filter(_ isIncluded: (Elements.Element) -> Bool) -> Publishers.Sequence<[Elements.Element], Failure> {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.filter(isIncluded))
    }

    /// Returns a publisher that delivers no value and finishes.
    @inlinable
    public func ignoreOutput() -> Empty<Elements.Element, Failure> {
        Empty()
    }

    /// Returns a publisher of the results of `transform`, which runs immediately.
    @inlinable
    public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
        Publishers.Sequence<[T], Failure>(sequence: sequence.map(transform))
    }

    /// Returns a publisher of at most the first `maxLength` elements.
    @inlinable
    public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
        Publishers.Sequence<PrefixSequence<Elements>, Failure>(sequence: sequence.prefix(maxLength))
    }

    /// Returns a publisher of the first elements that satisfy `predicate`. The closure runs immediately.
    @inlinable
    public func prefix(
        while predicate: (Elements.Element)
            -> Bool
    ) -> Publishers.Sequence<[Elements.Element], Failure> {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
    }

    /// Returns a publisher of the elements combined by `nextPartialResult`, which runs immediately.
    @inlinable
    public func reduce<T>(
        _ initialResult: T,
        _ nextPartialResult:
            @escaping (T, Elements.Element)
            -> T
    ) -> Result<T, Failure>.Publisher {
        Result<T, Failure>.Publisher(.success(sequence.reduce(initialResult, nextPartialResult)))
    }

    /// Returns a publisher of the elements combined by `nextPartialResult`, which runs immediately. It fails if the
    /// closure throws.
    @inlinable
    public func tryReduce<T>(
        _ initialResult: T,
        _ nextPartialResult:
            @escaping (T, Elements.Element) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        Result<T, any Error>.Publisher(Result<T, any Error> { try sequence.reduce(initialResult, nextPartialResult) })
    }

    /// Returns a publisher of the elements, with `output` in place of each nil.
    @inlinable
    public func replaceNil<T>(with output: T)
        -> Publishers.Sequence<[Elements.Element], Failure> where Elements.Element == T?
    {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.map { $0 ?? output })
    }

    /// Returns a publisher of the results of combining each element with the previous result. The closure runs
    /// immediately.
    @inlinable
    public func scan<T>(
        _ initialResult: T,
        _ nextPartialResult:
            @escaping (T, Elements.Element)
            -> T
    ) -> Publishers.Sequence<[T], Failure> {
        var result = initialResult
        let results = sequence.map { element in
            result = nextPartialResult(result, element)
            return result
        }
        return Publishers.Sequence<[T], Failure>(sequence: results)
    }

    /// Returns a publisher with another failure type.
    @inlinable
    public func setFailureType<E: Error>(to error: E.Type) -> Publishers.Sequence<Elements, E> {
        Publishers.Sequence<Elements, E>(sequence: sequence)
    }
}

extension Publishers.Sequence where Elements.Element: Equatable {
    /// Returns a publisher that omits each element that equals the previous one.
    @inlinable
    public func removeDuplicates() -> Publishers.Sequence<[Elements.Element], Failure> {
        var kept: [Elements.Element] = []
        for element in sequence where kept.last != element {
            kept.append(element)
        }
        return Publishers.Sequence<[Elements.Element], Failure>(sequence: kept)
    }

    /// Returns a publisher that reports whether an element equals `output`.
    @inlinable
    public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(.success(sequence.contains(output)))
    }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
    /// Returns a publisher of the smallest element. It is empty if the sequence is.
    @inlinable
    public func min() -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.min())
    }

    /// Returns a publisher of the largest element. It is empty if the sequence is.
    @inlinable
    public func max() -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.max())
    }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
    /// Returns a publisher of the first element. It is empty if the collection is.
    @inlinable
    public func first() -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.first)
    }

    /// Returns a publisher of the element at `index`. It is empty if that is not an index of the collection.
    @inlinable
    public func output(at index: Elements.Index) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
    }
}

extension Publishers.Sequence where Elements: Collection {
    /// Returns a publisher of the number of elements.
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher {
        Result<Int, Failure>.Publisher(.success(sequence.count))
    }

    /// Returns a publisher of the elements at the indices in `range`.
    @inlinable
    public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Elements.Element], Failure> {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: Array(sequence[range]))
    }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
    /// Returns a publisher of the last element. It is empty if the collection is.
    @inlinable
    public func last() -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.last)
    }

    /// Returns a publisher of the last element that satisfies `predicate`, or of no element if
    /// none does. The closure runs immediately.
    @inlinable
    public func last(where predicate: (Elements.Element) -> Bool) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.last(where: predicate))
    }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
    /// Returns a publisher of the element at `index`. It is empty if that is not an index of the collection.
    @inlinable
    public func output(at index: Elements.Index) -> Optional<Elements.Element>.Publisher {
        let isInside = index >= sequence.startIndex && index < sequence.endIndex
        return Optional.Publisher(isInside ? sequence[index] : nil)
    }

    /// Returns a publisher of the number of elements.
    @inlinable
    public func count() -> Just<Int> {
        Just(sequence.count)
    }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
    /// Returns a publisher of the elements at the indices in `range`.
    @inlinable
    public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Elements.Element], Failure> {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: Array(sequence[range]))
    }

    /// Returns a publisher of the number of elements.
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher {
        Result<Int, Failure>.Publisher(.success(sequence.count))
    }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
    /// Returns a publisher that delivers `elements` before the other elements.
    @inlinable
    public func prepend(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> {
        prepend(elements)
    }

    /// Returns a publisher that delivers `elements` before the other elements.
    @inlinable
    public func prepend<S: Sequence>(_ elements: S)
        -> Publishers.Sequence<Elements, Failure> where Elements.Element == S.Element
    {
        Publishers.Sequence(sequence: elements + sequence)
    }

    /// Returns a publisher that delivers the elements of `publisher` before the other elements.
    @inlinable
    public func prepend(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
        Publishers.Sequence(sequence: publisher.sequence + sequence)
    }

    /// Returns a publisher that delivers `elements` after the other elements.
    @inlinable
    public func append(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> {
        append(elements)
    }

    /// Returns a publisher that delivers `elements` after the other elements.
    @inlinable
    public func append<S: Sequence>(_ elements: S)
        -> Publishers.Sequence<Elements, Failure> where Elements.Element == S.Element
    {
        Publishers.Sequence(sequence: sequence + elements)
    }

    /// Returns a publisher that delivers the elements of `publisher` after the other elements.
    @inlinable
    public func append(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
        Publishers.Sequence(sequence: sequence + publisher.sequence)
    }
}
