// The kinds of message that Kraken sends.

import MarketModel
import WireJSON

/// A message after decoding.
///
/// The rows of a data message stay in the decoder's buffers.
enum KrakenMessage: Equatable {
  case books(KrakenAction)
  case trades(KrakenAction)
  /// Figures of the last 24 hours.
  case tickers(KrakenAction)
  /// Pairs with their precisions.
  case instruments(KrakenAction)
  /// The greeting, and every change of the engine's state.
  case status(KrakenSystem)
  /// Sent about once a second: the connection is alive.
  case heartbeat
  /// The answer to a ping.
  case pong
  /// A request was carried out for one symbol.
  ///
  /// Indirect, as what follows, for these are rare and large, and messages are copied.
  indirect case acknowledged(KrakenMethodResponse)
  /// A request was refused, as a whole or for one symbol.
  indirect case refused(KrakenMethodResponse)
  /// Anything else: unknown channels, unknown objects.
  case ignored
}

/// The venue's response to a method call: subscribe or unsubscribe.
struct KrakenMethodResponse: Equatable, CustomStringConvertible {
  /// "subscribe" or "unsubscribe"; empty where the venue names none.
  var method = ""
  /// The venue's text, cut to 512 bytes; empty on success.
  var error = ""
  /// The symbol that the answer is about.
  var symbol: Symbol?
  /// The channel, where a result names it.
  var channel: KrakenChannel?
  /// Levels a side that the venue grants.
  var depth: Int?
  /// As the request gave it.
  var requestIdentifier: Int64?
  /// What the venue warns of although it carried the request out: at most
  /// ``maximumWarnings``, each cut to 512 bytes.
  var warnings: [String] = []

  /// Warnings of one answer that are kept.
  static let maximumWarnings = 16

  /// For logs: "Kraken subscribe BTC/USD: Currency pair not supported".
  var description: String { described(error) }

  /// The same with one of ``warnings`` in place of the error.
  func described(_ text: String) -> String {
    let symbol = symbol.map { " \($0)" } ?? ""
    return "Kraken \(method)\(symbol): \(text)"
  }
}
