import HTTPModel

// A strong entity tag identifies bytes, and compressed bytes are different bytes (RFC 9110 §8.8.3.3). The tag of a
// compressed response therefore gets the coding as a suffix. The responder does not know these tags, so the conditions
// that it receives name both tags.
extension HTTPEntityTag {
    /// Returns the tag of the same content in a coding.
    func withCoding(_ coding: ContentCoding) -> HTTPEntityTag {
        isWeak ? self : HTTPEntityTag(opaque + HTTPEntityTag.ending(coding)) ?? self
    }

    /// The tag without the suffix of a coding, or `nil` if it has none.
    var withoutCoding: HTTPEntityTag? {
        for coding in ContentCoding.allCases {
            let ending = HTTPEntityTag.ending(coding)
            if !isWeak, opaque.hasSuffix(ending) { return HTTPEntityTag(String(opaque.dropLast(ending.utf8.count))) }
        }
        return nil
    }

    private static func ending(_ coding: ContentCoding) -> String {
        switch coding {
        case .brotli: "-br"
        case .gzip: "-gzip"
        }
    }
}

/// The conditions of a request, as far as they name entity tags.
enum EntityTagConditions {
    /// Returns whether a request has such conditions.
    static func arePresent(in fields: HTTPFields) -> Bool {
        fields.contains(.ifNoneMatch) || fields.contains(.ifMatch)
    }

    /// Returns the fields with the tags of the uncompressed content added to those of the compressed content.
    static func widened(_ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        for name in [HTTPFieldName.ifMatch, .ifNoneMatch] {
            guard case .tags(let tags) = HTTPEntityTags(name, in: fields) else { continue }
            let plain = tags.compactMap(\.withoutCoding)
            guard !plain.isEmpty else { continue }
            // The client's text is kept unchanged: the responder reports any error in it.
            let all = fields.values(name) + plain.map(\.fieldValue.string)
            fields[name] = HTTPFieldValue(all.joined(separator: ", "))
        }
        return fields
    }

    /// Returns the tag for a 304 response whose uncompressed content has the given tag: the one that the client has
    /// sent.
    static func known(_ tag: HTTPEntityTag, _ coding: ContentCoding?, in fields: HTTPFields) -> HTTPEntityTag {
        guard case .tags(let tags) = HTTPEntityTags(.ifNoneMatch, in: fields) else { return tag }
        let possible = [coding.map(tag.withCoding), tag] + ContentCoding.allCases.map(tag.withCoding)
        return possible.lazy.compactMap { $0 }.first { tags.contains($0) } ?? tag
    }
}
