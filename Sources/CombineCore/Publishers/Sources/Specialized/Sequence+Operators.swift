extension Publishers.Sequence where Failure == Never {
    /// The least element, found now by `areInIncreasingOrder`; nothing if there is no element.
    @inlinable
    public func min(
        by areInIncreasingOrder: (Elements.Element, Elements.Element)
            -> Bool
    ) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.min(by: areInIncreasingOrder))
    }

    /// The greatest element, found now by `areInIncreasingOrder`; nothing if there is no element.
    @inlinable
    public func max(
        by areInIncreasingOrder: (Elements.Element, Elements.Element)
            -> Bool
    ) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.max(by: areInIncreasingOrder))
    }

    /// The first element that satisfies `predicate`, found now; nothing if there is none.
    @inlinable
    public func first(where predicate: (Elements.Element) -> Bool) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.first(where: predicate))
    }
}

extension Publishers.Sequence {
    /// Whether all elements satisfy `predicate`, which runs now.
    @inlinable
    public func allSatisfy(_ predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(.success(sequence.allSatisfy(predicate)))
    }

    /// Whether all elements satisfy `predicate`, which runs now; fails with what it throws.
    @inlinable
    public func tryAllSatisfy(_ predicate: (Elements.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        Result<Bool, any Error>.Publisher(Result<Bool, any Error> { try sequence.allSatisfy(predicate) })
    }

    /// All elements in one array.
    @inlinable
    public func collect() -> Result<[Elements.Element], Failure>.Publisher {
        Result<[Elements.Element], Failure>.Publisher(.success(Array(sequence)))
    }

    /// What `transform`, which runs now, makes of the elements, without the nils.
    @inlinable
    public func compactMap<T>(_ transform: (Elements.Element) -> T?) -> Publishers.Sequence<[T], Failure> {
        Publishers.Sequence<[T], Failure>(sequence: sequence.compactMap(transform))
    }

    /// Whether an element satisfies `predicate`, which runs now.
    @inlinable
    public func contains(where predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(.success(sequence.contains(where: predicate)))
    }

    /// Whether an element satisfies `predicate`, which runs now; fails with what it throws.
    @inlinable
    public func tryContains(where predicate: (Elements.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        Result<Bool, any Error>.Publisher(Result<Bool, any Error> { try sequence.contains(where: predicate) })
    }

    /// Leaves out the first elements that satisfy `predicate`, which runs now.
    @inlinable
    public func drop(
        while predicate: (Elements.Element)
            -> Bool
    ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
        Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: sequence.drop(while: predicate))
    }

    /// Leaves out the first `count` elements.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
        Publishers.Sequence<DropFirstSequence<Elements>, Failure>(sequence: sequence.dropFirst(count))
    }

    /// The elements for which `isIncluded`, which runs now, says yes.
    @inlinable
    public func filter(_ isIncluded: (Elements.Element) -> Bool) -> Publishers.Sequence<[Elements.Element], Failure> {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.filter(isIncluded))
    }

    /// A publisher that only finishes.
    @inlinable
    public func ignoreOutput() -> Empty<Elements.Element, Failure> {
        Empty()
    }

    /// What `transform`, which runs now, makes of the elements.
    @inlinable
    public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
        Publishers.Sequence<[T], Failure>(sequence: sequence.map(transform))
    }

    /// At most the first `maxLength` elements.
    @inlinable
    public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
        Publishers.Sequence<PrefixSequence<Elements>, Failure>(sequence: sequence.prefix(maxLength))
    }

    /// The first elements that satisfy `predicate`, which runs now.
    @inlinable
    public func prefix(
        while predicate: (Elements.Element)
            -> Bool
    ) -> Publishers.Sequence<[Elements.Element], Failure> {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
    }

    /// What `nextPartialResult`, which runs now, makes of all elements.
    @inlinable
    public func reduce<T>(
        _ initialResult: T,
        _ nextPartialResult:
            @escaping (T, Elements.Element)
            -> T
    ) -> Result<T, Failure>.Publisher {
        Result<T, Failure>.Publisher(.success(sequence.reduce(initialResult, nextPartialResult)))
    }

    /// What `nextPartialResult`, which runs now, makes of all elements; fails with what it throws.
    @inlinable
    public func tryReduce<T>(
        _ initialResult: T,
        _ nextPartialResult:
            @escaping (T, Elements.Element) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        Result<T, any Error>.Publisher(Result<T, any Error> { try sequence.reduce(initialResult, nextPartialResult) })
    }

    /// The elements, with `output` in place of each nil.
    @inlinable
    public func replaceNil<T>(with output: T)
        -> Publishers.Sequence<[Elements.Element], Failure> where Elements.Element == T?
    {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.map { $0 ?? output })
    }

    /// What `nextPartialResult`, which runs now, makes of each element and the result before.
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

    /// Gives the stream another failure type.
    @inlinable
    public func setFailureType<E: Error>(to error: E.Type) -> Publishers.Sequence<Elements, E> {
        Publishers.Sequence<Elements, E>(sequence: sequence)
    }
}

extension Publishers.Sequence where Elements.Element: Equatable {
    /// Leaves out each element that equals the one before it.
    @inlinable
    public func removeDuplicates() -> Publishers.Sequence<[Elements.Element], Failure> {
        var kept: [Elements.Element] = []
        for element in sequence where kept.last != element {
            kept.append(element)
        }
        return Publishers.Sequence<[Elements.Element], Failure>(sequence: kept)
    }

    /// Whether an element equals `output`.
    @inlinable
    public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(.success(sequence.contains(output)))
    }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
    /// The least element; nothing if there is none.
    @inlinable
    public func min() -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.min())
    }

    /// The greatest element; nothing if there is none.
    @inlinable
    public func max() -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.max())
    }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
    /// The first element, if there is one.
    @inlinable
    public func first() -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.first)
    }

    /// The element at `index`, if that is an index of the collection.
    @inlinable
    public func output(at index: Elements.Index) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
    }
}

extension Publishers.Sequence where Elements: Collection {
    /// The number of elements.
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher {
        Result<Int, Failure>.Publisher(.success(sequence.count))
    }

    /// The elements at the indices in `range`.
    @inlinable
    public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Elements.Element], Failure> {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: Array(sequence[range]))
    }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
    /// The last element, if there is one.
    @inlinable
    public func last() -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.last)
    }

    /// The last element that satisfies `predicate`, found now; nothing if there is none.
    @inlinable
    public func last(where predicate: (Elements.Element) -> Bool) -> Optional<Elements.Element>.Publisher {
        Optional.Publisher(sequence.last(where: predicate))
    }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
    /// The element at `index`, if that is an index of the collection.
    @inlinable
    public func output(at index: Elements.Index) -> Optional<Elements.Element>.Publisher {
        let isInside = index >= sequence.startIndex && index < sequence.endIndex
        return Optional.Publisher(isInside ? sequence[index] : nil)
    }

    /// The number of elements.
    @inlinable
    public func count() -> Just<Int> {
        Just(sequence.count)
    }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
    /// The elements at the indices in `range`.
    @inlinable
    public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Elements.Element], Failure> {
        Publishers.Sequence<[Elements.Element], Failure>(sequence: Array(sequence[range]))
    }

    /// The number of elements.
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher {
        Result<Int, Failure>.Publisher(.success(sequence.count))
    }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
    /// Delivers `elements` before the others.
    @inlinable
    public func prepend(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> {
        prepend(elements)
    }

    /// Delivers `elements` before the others.
    @inlinable
    public func prepend<S: Sequence>(_ elements: S)
        -> Publishers.Sequence<Elements, Failure> where Elements.Element == S.Element
    {
        Publishers.Sequence(sequence: elements + sequence)
    }

    /// Delivers the elements of `publisher` before the others.
    @inlinable
    public func prepend(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
        Publishers.Sequence(sequence: publisher.sequence + sequence)
    }

    /// Delivers `elements` after the others.
    @inlinable
    public func append(_ elements: Elements.Element...) -> Publishers.Sequence<Elements, Failure> {
        append(elements)
    }

    /// Delivers `elements` after the others.
    @inlinable
    public func append<S: Sequence>(_ elements: S)
        -> Publishers.Sequence<Elements, Failure> where Elements.Element == S.Element
    {
        Publishers.Sequence(sequence: sequence + elements)
    }

    /// Delivers the elements of `publisher` after the others.
    @inlinable
    public func append(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
        Publishers.Sequence(sequence: sequence + publisher.sequence)
    }
}
