struct JSONTreeEncoder: Encoder {
    let tree: JSONTree
    let node: JSONNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { tree.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.become(.object)
        return KeyedEncodingContainer(JSONKeyedContainer(tree: tree, node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.become(.list)
        return JSONUnkeyedContainer(tree: tree, node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueContainer(tree: tree, node: node, codingPath: codingPath)
    }
}

private struct JSONKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: JSONTree
    let node: JSONNode
    let codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) { node.set(tree.null(), for: key.stringValue) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        node.set(try tree.part(of: value, at: codingPath + [key]), for: key.stringValue)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        inner(key, key.stringValue).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        inner(key, key.stringValue).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { inner(nil, "super") }

    mutating func superEncoder(forKey key: Key) -> any Encoder { inner(key, key.stringValue) }

    private func inner(_ key: Key?, _ name: String) -> JSONTreeEncoder {
        let child = JSONNode()
        node.set(.node(child), for: name)
        return JSONTreeEncoder(tree: tree, node: child, codingPath: codingPath + (key.map { [$0] } ?? []))
    }
}

private struct JSONUnkeyedContainer: UnkeyedEncodingContainer {
    let tree: JSONTree
    let node: JSONNode
    let codingPath: [any CodingKey]
    var count: Int { node.parts.count }

    mutating func encodeNil() { node.append(tree.null()) }

    mutating func encode<T: Encodable>(_ value: T) throws { node.append(try tree.part(of: value, at: codingPath)) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        inner().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { inner() }

    private func inner() -> JSONTreeEncoder {
        let child = JSONNode()
        node.append(.node(child))
        return JSONTreeEncoder(tree: tree, node: child, codingPath: codingPath)
    }
}

private struct JSONSingleValueContainer: SingleValueEncodingContainer {
    let tree: JSONTree
    let node: JSONNode
    let codingPath: [any CodingKey]

    mutating func encodeNil() { node.append(tree.null()) }

    mutating func encode<T: Encodable>(_ value: T) throws { node.append(try tree.part(of: value, at: codingPath)) }
}
