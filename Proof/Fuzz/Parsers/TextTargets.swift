// Text of WebSockets and HTTP headers. The UTF-8 check gives the same result for pieces as the
// standard library for the whole.

@testable import SocketTransport

let targets: [String: Target] = ["utf8": utf8, "http-date": httpDate]

/// The first byte is where the text is split.
@Sendable private func utf8(_ bytes: Span<UInt8>) {
  guard bytes.count > 0 else { return }
  let whole = bytes.extracting(1...)
  let cut = min(Int(bytes[0]), whole.count)
  var checker = UTF8Checker()
  let isAccepted =
    checker.accepts(whole.extracting(..<cut).bytes)
    && checker.accepts(whole.extracting(cut...).bytes)
  let isValid = whole.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
  if (isAccepted && checker.isComplete) != isValid { fail("a text is valid or not") }
}

/// A date is one moment and round-trips through its text.
@Sendable private func httpDate(_ bytes: Span<UInt8>) {
  guard let date = HTTPDate(text(bytes)) else { return }
  guard HTTPDate(date.text) == date else { fail("\(date.text) is not read as it was") }
}
