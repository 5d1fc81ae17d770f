// The hash against the published examples of its standard.

import Digest
import Testing

struct SHA256DigestTests {
  /// The examples of FIPS 180-4 (NIST, "SHA256.pdf") and the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `equals the published examples`(message: String, expected: String) {
    let digest = SHA256Digest.hash(Array(message.utf8))
    #expect(digest.count == SHA256Digest.byteCount)
    #expect(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }

  @Test func `a million letters, the longest published example`() {
    let digest = SHA256Digest.hash([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
    #expect(
      digest.prefix(8)
        == [0xcd, 0xc7, 0x6e, 0x5c, 0x99, 0x14, 0xfb, 0x92])
  }
}
