import HTTPCompression
import HTTPModel

// A strong tag stands for bytes, and those of a coding are others (RFC 9110 §8.8.3.3): the tag of a compressed answer ends
// in its coding. Who made the answer knows nothing of that, so conditions are put to it with both tags.
extension HTTPEntityTag {
    /// The tag of what this one stands for once it is coded.
    func coded(_ coding: ContentCoding) -> HTTPEntityTag {
        isWeak ? self : HTTPEntityTag(opaque + HTTPEntityTag.ending(coding)) ?? self
    }

    /// The tag that was given such an ending; `nil` if this one has none.
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

/// The conditions of one request, as far as they name tags.
enum CodedConditions {
    /// Whether a request has any.
    static func arePresent(in fields: HTTPFields) -> Bool {
        fields.contains(.ifNoneMatch) || fields.contains(.ifMatch)
    }

    /// The fields with the tags of coded answers named by those of the answers as well.
    static func widened(_ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        for name in [HTTPFieldName.ifMatch, .ifNoneMatch] {
            guard case .tags(let tags) = HTTPEntityTags(name, in: fields) else { continue }
            let plain = tags.compactMap(\.withoutCoding)
            guard !plain.isEmpty else { continue }
            // What the client wrote stays as it is: what is wrong with it is for who made the answer to tell.
            let all = fields.values(name) + plain.map(\.fieldValue.string)
            fields[name] = HTTPFieldValue(all.joined(separator: ", "))
        }
        return fields
    }

    /// The tag for 304, where the answer is tagged so before it is coded: the one that the client has it by.
    static func known(_ tag: HTTPEntityTag, _ coding: ContentCoding?, in fields: HTTPFields) -> HTTPEntityTag {
        guard case .tags(let tags) = HTTPEntityTags(.ifNoneMatch, in: fields) else { return tag }
        let possible = [coding.map(tag.coded), tag] + ContentCoding.allCases.map(tag.coded)
        return possible.lazy.compactMap { $0 }.first { tags.contains($0) } ?? tag
    }
}
