import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct ContentDecoderTests {
    private let text = Array(String(repeating: "abc ", count: 5000).utf8)

    @Test(arguments: ContentCoding.allCases)
    func `splitting the input does not change the content`(_ coding: ContentCoding) throws {
        let coded = ContentEncoder.encode(text, coding)
        for size in [1, 2, 7, 1000] {
            let decoder = ContentDecoder(coding)
            var decoded: [UInt8] = []
            for start in stride(from: 0, to: coded.count, by: size) {
                try decoder.decode(Array(coded[start..<min(coded.count, start + size)]), into: &decoded)
            }
            #expect(decoded == text && decoder.isFinished)
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func `input in another format is rejected`(_ coding: ContentCoding) {
        #expect(throws: ContentDecodingError.malformed) {
            try ContentDecoder.decode(Array("this is no coded content at all".utf8), coding)
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func `truncated input is rejected`(_ coding: ContentCoding) {
        let coded = ContentEncoder.encode(text, coding)
        #expect(throws: ContentDecodingError.truncated) { try ContentDecoder.decode(coded.dropLast(2), coding) }
        #expect(throws: ContentDecodingError.truncated) { try ContentDecoder.decode([], coding) }
    }

    @Test(arguments: ContentCoding.allCases)
    func `data after the end is rejected`(_ coding: ContentCoding) {
        let coded = ContentEncoder.encode(text, coding)
        #expect(throws: ContentDecodingError.malformed) { try ContentDecoder.decode(coded + [1], coding) }
    }
}

extension ContentDecoder {
    fileprivate static func decode(_ bytes: ArraySlice<UInt8>, _ coding: ContentCoding) throws -> [UInt8] {
        try decode(Array(bytes), coding)
    }
}
