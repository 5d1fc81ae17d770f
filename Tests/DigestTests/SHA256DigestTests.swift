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

  /// Test cases 1, 2, 3 and 6 of RFC 4231: a short key, one shorter than a hash, one with bytes
  /// beyond ASCII, and one longer than a block.
  @Test(
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ] as [([UInt8], [UInt8], String)])
  func `an authentication code equals the published examples`(
    key: [UInt8], message: [UInt8], expected: String
  ) {
    let code = SHA256Digest.authenticationCode(of: message, key: key)
    #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }
}
