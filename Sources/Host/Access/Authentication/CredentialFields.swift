import HTTPModel

/// The fields of a request that can contain credentials, found in one pass.
///
/// Most requests have none of them, and the pass compares hardly more than the lengths of names.
struct CredentialFields {
    var authorizations = 0
    var hasCookies = false
    var hasProxyField = false

    init(of fields: HTTPFields, proxyField: HTTPFieldName?) {
        let proxyField = proxyField?.lowercased.utf8
        let proxyCount = proxyField?.count ?? -1
        fields.forEach { name, _ in
            switch name.count {
            case 13 where name.starts(with: "authorization"): authorizations += 1
            case 6 where name.starts(with: "cookie"): hasCookies = true
            default: break
            }
            if name.count == proxyCount, let proxyField, name.elementsEqual(proxyField) { hasProxyField = true }
        }
    }

    var isEmpty: Bool { authorizations == 0 && !hasCookies && !hasProxyField }
}
