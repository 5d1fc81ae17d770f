// One file of the page, as it lies in memory and goes out.

/// A way of compression that the page's files are built with (RFC 9110, 8.4.1).
public enum ContentCoding: String, Sendable, CaseIterable {
  /// RFC 7932; the smaller one.
  case brotli = "br"
  /// RFC 1952.
  case gzip

  /// How the compressed file's name goes on.
  var suffix: String { self == .brotli ? ".br" : ".gz" }
}

/// A file of the page.
public struct WebFile: Sendable, Equatable {
  /// The whole content.
  public let bytes: [UInt8]
  /// The MIME type with its charset.
  public let contentType: String
  /// The same content, compressed when the page was built; empty for a module as it was written.
  public let compressed: [ContentCoding: [UInt8]]
  /// Tells this content from any other: 16 hexadecimal digits.
  public let version: String
  /// Whether its name tells its content, so that it may be kept for ever.
  public let isImmutable: Bool
}
