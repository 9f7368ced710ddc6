extension CasePath {
    /// The path to the case that `embed` wraps values in; extraction finds it by looking at the enum's run-time metadata.
    ///
    /// Two cases with payloads of the same type are distinguished. These forms of `embed` work, too:
    ///
    /// - a function that wraps in several cases at once: `{ .outer(.inner($0)) }`;
    /// - a function that fills in the other associated values: `{ .bar(fizz: $0, buzz: "x") }` extracts the first one from
    ///   every `bar`, whatever its other values are;
    /// - a case that carries an existential, for a concrete type: a `CasePath<Result<Int, any Error>, MyError>` extracts
    ///   the failures that are a `MyError`.
    ///
    /// An enum that was compiled without reflection metadata never yields a value. A function is extracted if it takes and
    /// returns nothing (or opaque existentials such as `Any`), or if the case declares a generic parameter
    /// (`Optional.some`). Other functions are never extracted: generic code calls them in another way.
    public static func `case`(_ embed: @escaping (Value) -> Root) -> CasePath {
        let extractor = CaseExtractor(embed)
        return CasePath(embed: embed, extract: extractor.extract)
    }
}

extension CasePath where Value == Void {
    /// The path to a case without a value; roots in that case yield `()`.
    ///
    /// If the case does have a payload, the root has to be described like `value`.
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

extension CasePath where Root == Void {
    /// The path from nothing to `value`: extraction always succeeds.
    public static func constant(_ value: Value) -> CasePath {
        CasePath(embed: { _ in () }, extract: { value })
    }
}

extension CasePath where Value == Never {
    /// A path to no case at all.
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
    /// The path from a raw value to what it stands for.
    public static var rawValue: CasePath {
        CasePath(embed: { $0.rawValue }, extract: Value.init(rawValue:))
    }
}

extension CasePath where Value: LosslessStringConvertible, Root == String {
    /// The path from a description to what it describes.
    public static var description: CasePath {
        CasePath(embed: { $0.description }, extract: Value.init)
    }
}

/// The value in `root`, if `embed` wraps values in the case that `root` is in.
///
/// It looks the enum up at every call; a ``CasePath`` remembers what it found.
public func extract<Root, Value>(case embed: @escaping (Value) -> Root, from root: Root) -> Value? {
    CasePath.case(embed).extract(from: root)
}

/// The function that takes values out of the case that `embed` wraps them in.
public func extract<Root, Value>(_ case: @escaping (Value) -> Root) -> (Root) -> Value? {
    CasePath.case(`case`).extract(from:)
}
