extension CasePath {
    /// Returns the path to the case in which `embed` wraps values. Extraction uses the enum's runtime metadata.
    ///
    /// Cases with payloads of the same type are distinguished. These forms of `embed` also work:
    ///
    /// - a function that wraps a value in nested cases: `{ .outer(.inner($0)) }`;
    /// - a function that supplies other associated values: `{ .bar(fizz: $0, buzz: "x") }` extracts the first
    ///   associated value of every `bar`, regardless of the others;
    /// - a case with an existential payload, for a concrete type: a `CasePath<Result<Int, any Error>, MyError>`
    ///   extracts the failures that are a `MyError`;
    /// - a function that returns its argument, also for types that are no enums, but not for functions: `/{ $0 }`.
    ///
    /// Extraction from a case always returns nil for an enum that was compiled without reflection metadata. A payload that is a
    /// function is extracted if it takes and returns nothing (or opaque existentials such as `Any`), or if the case
    /// declares a generic parameter (`Optional.some`). Other functions are never extracted, because generic code uses
    /// another calling convention for them.
    public static func `case`(_ embed: @escaping (Value) -> Root) -> CasePath {
        let extractor = CaseExtractor(embed)
        return CasePath(embed: embed, extract: extractor.extract)
    }
}

extension CasePath where Value == Void {
    /// Returns the path to a case without a payload. Extraction returns `()` for roots in that case.
    ///
    /// If the case has a payload, a root matches if its description equals that of `value`.
    @_disfavoredOverload
    public static func `case`(_ value: Root) -> CasePath {
        guard let shape = EnumShape(Root.self) else { return .described(like: value) }
        let tag = shape.tag(of: value)
        let found = shape.cases[tag]
        guard found.payload == nil, !found.isOpaque else { return .described(like: value) }
        return CasePath(embed: { value }, extract: { shape.witnesses.tag(of: $0) == tag ? () : nil })
    }

    private static func described(like value: Root) -> CasePath {
        let description = String(describing: value)
        return CasePath(embed: { value }, extract: { String(describing: $0) == description ? () : nil })
    }
}

extension CasePath {
    /// Creates the path to the case in which `embed` wraps values: `AnyCasePath(AppAction.login)`.
    ///
    /// The static `case` function describes what `embed` may be.
    public init(_ embed: @escaping (Value) -> Root) {
        self = .case(embed)
    }
}

extension CasePath where Value == Void {
    /// Creates the path to a case without a payload: `AnyCasePath(AppAction.logout)`.
    @_disfavoredOverload
    public init(_ value: Root) {
        self = .case(value)
    }
}

extension CasePath where Root == Value {
    /// Creates the path from a type to itself: `AnyCasePath(AppAction.self)`.
    public init(_ type: Root.Type) {
        self.init()
    }
}

extension CasePath where Root == Value? {
    /// The path from an optional to its value, for `/.some`.
    public static var some: CasePath {
        CasePath(embed: { $0 }, extract: { $0 })
    }
}

extension CasePath where Root == Void {
    /// Returns the path from `Void` to `value`. Extraction always succeeds.
    public static func constant(_ value: Value) -> CasePath {
        CasePath(embed: { _ in () }, extract: { value })
    }
}

extension CasePath where Value == Never {
    /// A path that never matches.
    public static var never: CasePath {
        CasePath(embed: { (never: Never) -> Root in }, extract: { _ in nil })
    }
}

extension CasePath where Root == Value {
    /// The path from a type to itself.
    public static var `self`: CasePath {
        CasePath(embed: { $0 }, extract: { $0 })
    }
}

extension CasePath where Value: RawRepresentable, Root == Value.RawValue {
    /// The path from a raw value to the value that it represents.
    public static var rawValue: CasePath {
        CasePath(embed: { $0.rawValue }, extract: Value.init(rawValue:))
    }
}

extension CasePath where Value: LosslessStringConvertible, Root == String {
    /// The path from a description to the value that it describes.
    public static var description: CasePath {
        CasePath(embed: { $0.description }, extract: Value.init)
    }
}

/// Returns the value in `root` if `root` is in the case in which `embed` wraps values.
///
/// Each call inspects the enum again. A ``CasePath`` caches the result.
public func extract<Root, Value>(case embed: @escaping (Value) -> Root, from root: Root) -> Value? {
    CasePath.case(embed).extract(from: root)
}

/// Returns a function that extracts values from the case in which `embed` wraps them.
public func extract<Root, Value>(_ case: @escaping (Value) -> Root) -> (Root) -> Value? {
    CasePath.case(`case`).extract(from:)
}
