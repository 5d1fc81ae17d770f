// The one rule of what a venue's public address is, however somebody spells it.

public import MarketModel
public import SocketTransport

extension AddressSource {
  /// The source of an address that somebody gave: the venue's own when it is the public one.
  ///
  /// A default port, a slash at the end, and http for ws are other spellings of one address;
  /// without TLS it is another address.
  public static func of(_ endpoint: Endpoint, for venue: VenueName) -> AddressSource {
    let published = venue.publicAddress.flatMap { try? Endpoint($0) }
    return published.map(spelledPlainly) == spelledPlainly(endpoint) ? .published : .given
  }

  private static func spelledPlainly(_ endpoint: Endpoint) -> Endpoint {
    let target = endpoint.target
    return endpoint.asWebSocket.withTarget(
      target.hasSuffix("/") ? String(target.dropLast()) : target)
  }
}
