// `--venue-authority FILE`: whom to trust at addresses of one's own, such as those of
// `simulate --tls`.

import ArgumentParser
import FeedConnections
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

  /// The same address, trusting the authority where one was given.
  ///
  /// Throws a ``CommandFailure`` for a file that holds none.
  func trusted(_ address: VenueAddress) throws -> VenueAddress {
    guard let venueAuthority else { return address }
    let trust: TLSSettings
    do {
      trust = try TLSSettings(authorityFile: venueAuthority)
    } catch {
      throw CommandFailure("\(venueAuthority) holds no certificate that can be read")
    }
    return address.trusting(trust)
  }
}
