import HTTPModel

/// The fields of a request that can contain credentials, found in one pass.
///
/// Most requests have none of them, so that there is no pass, or compare hardly more than the lengths of names.
struct CredentialFields {
    var authorizations = 0
    /// The place of the last `Authorization` field among all fields; 0 if none exists.
    var authorization = 0
    var hasCookies = false
    var hasProxyField = false

    // Borrowed: an initializer would otherwise be given a copy.
    init(of fields: borrowing HTTPFields, proxyField: HTTPFieldName?) {
        if let proxyField { hasProxyField = fields.contains(proxyField) }
        guard fields.mayContainName(ofLength: 13) || fields.mayContainName(ofLength: 6) else { return }
        var place = 0
        fields.forEach { name, _ in
            switch name.count {
            case 13 where name.starts(with: "authorization"):
                authorizations += 1
                authorization = place
            case 6 where name.starts(with: "cookie"): hasCookies = true
            default: break
            }
            place += 1
        }
    }

    var isEmpty: Bool { authorizations == 0 && !hasCookies && !hasProxyField }
}
