extension Optional: CasePathable, CasePathIterable {
    /// The case paths of an optional: its own, and those of the wrapped enum.
    @dynamicMemberLookup
    public struct AllCasePaths: CasePathReflectable, Sequence, Sendable {
        /// The case that `root` is in.
        public subscript(root: Wrapped?) -> PartialCaseKeyPath<Wrapped?> {
            root == nil ? \.none : \.some
        }

        /// The path to nil.
        public var none: AnyCasePath<Wrapped?, Void> {
            AnyCasePath(embed: { nil }, extract: { $0 == nil ? () : nil })
        }

        /// The path to the wrapped value.
        public var some: AnyCasePath<Wrapped?, Wrapped> {
            AnyCasePath(embed: { $0 }, extract: { $0 })
        }

        /// The path to a case of the wrapped enum.
        public subscript<Member>(
            dynamicMember keyPath: KeyPath<Wrapped.AllCasePaths, AnyCasePath<Wrapped, Member>>
        ) -> AnyCasePath<Wrapped?, Member> where Wrapped: CasePathable {
            let path = Wrapped.allCasePaths[keyPath: keyPath]
            return AnyCasePath(embed: { path.embed($0) }, extract: { $0.flatMap { path.extract(from: $0) } })
        }

        /// The path to a case of the wrapped enum, as an optional: nil is embedded as nil.
        @_disfavoredOverload
        public subscript<Member>(
            dynamicMember keyPath: KeyPath<Wrapped.AllCasePaths, AnyCasePath<Wrapped, Member>>
        ) -> AnyCasePath<Wrapped?, Member?> where Wrapped: CasePathable {
            let path = Wrapped.allCasePaths[keyPath: keyPath]
            return AnyCasePath<Wrapped?, Member?>(
                embed: { $0.map { path.embed($0) } }, extract: { $0.flatMap(path.extract).map { .some($0) } })
        }

        /// Returns an iterator over both cases.
        public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<Wrapped?>]> {
            [\.none, \.some].makeIterator()
        }
    }

    /// The case paths.
    public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Result: CasePathable, CasePathIterable {
    /// The case paths of a result.
    public struct AllCasePaths: CasePathReflectable, Sequence, Sendable {
        /// The case that `root` is in.
        public subscript(root: Result) -> PartialCaseKeyPath<Result> {
            switch root {
            case .success: \.success
            case .failure: \.failure
            }
        }

        /// The path to the value.
        public var success: AnyCasePath<Result, Success> {
            AnyCasePath(embed: { .success($0) }, extract: { if case .success(let value) = $0 { value } else { nil } })
        }

        /// The path to the error.
        public var failure: AnyCasePath<Result, Failure> {
            AnyCasePath(embed: { .failure($0) }, extract: { if case .failure(let error) = $0 { error } else { nil } })
        }

        /// Returns an iterator over both cases.
        public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<Result>]> {
            [\.success, \.failure].makeIterator()
        }
    }

    /// The case paths.
    public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Never: CasePathable, CasePathIterable {
    /// The case paths of a type without values: there are none.
    public struct AllCasePaths: CasePathReflectable, Sequence, Sendable {
        /// Not called, because there are no values.
        public subscript(root: Never) -> PartialCaseKeyPath<Never> {
            \.never
        }

        /// Returns an iterator over no cases.
        public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<Never>]> {
            [].makeIterator()
        }
    }

    /// The case paths.
    public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
