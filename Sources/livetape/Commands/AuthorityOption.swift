// `--venue-authority FILE`: whom to trust at addresses of one's own, such as those of
// `simulate --tls`.

import ArgumentParser
import FeedConnections
import MarketModel
import SocketTransport

/// An authority for addresses that were given.
struct AuthorityOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A PEM file with the authority that vouches for venues at --url, instead of the system's; \
      never for the real ones.
      """, valueName: "file"))
  var venueAuthority: String?

  /// The same addresses, trusting the authority where one was given.
  ///
  /// Throws a ``CommandFailure`` for a file that holds none, and a usage error where there is no
  /// address that could trust it.
  func trusted(_ addresses: [Venue: VenueAddress]) throws -> [Venue: VenueAddress] {
    guard let venueAuthority else { return addresses }
    let trust: TLSSettings
    do {
      trust = try TLSSettings(authorityFile: venueAuthority)
    } catch {
      throw CommandFailure("\(venueAuthority) holds no certificate that can be read")
    }
    let trusting = addresses.mapValues { $0.trusting(trust) }
    guard trusting.values.contains(where: { $0.trust == trust }) else {
      throw ValidationError(
        "--venue-authority is for venues at --url, and never for the real ones; none is given")
    }
    return trusting
  }

  /// The same of an address that may have been given.
  func trusted(_ address: VenueAddress?) throws -> VenueAddress? {
    try trusted(address.map { [$0.venue: $0] } ?? [:]).values.first
  }
}
