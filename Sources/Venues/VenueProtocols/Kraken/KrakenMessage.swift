import MarketModel
import WireJSON

/// A message after decoding; the rows of a data message stay in the decoder's buffers.
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
  /// The response to a ping.
  case pong
  /// A request was carried out for one symbol.
  ///
  /// Indirect like the next case: responses are rare and large, and messages are copied.
  indirect case acknowledged(KrakenMethodResponse)
  /// A request was refused, as a whole or for one symbol.
  indirect case refused(KrakenMethodResponse)
  /// Anything else: unknown channels, unknown objects.
  case ignored
}

struct KrakenMethodResponse: Equatable, CustomStringConvertible {
  /// "subscribe" or "unsubscribe"; empty where the venue states none.
  var method = ""
  /// The venue's text, cut to 512 bytes; empty on success.
  var error = ""
  var symbol: Symbol?
  /// The channel, where a result contains it.
  var channel: KrakenChannel?
  var depth: Int?
  /// As in the request.
  var requestIdentifier: Int64?
  /// Warnings of an accepted request: at most ``maximumWarnings``, each cut to 512 bytes.
  var warnings: [String] = []

  static let maximumWarnings = 16

  /// For logs: "Kraken subscribe BTC/USD: Currency pair not supported".
  var description: String { described(error) }

  /// The same with one of ``warnings`` in place of the error.
  func described(_ text: String) -> String {
    let symbol = symbol.map { " \($0)" } ?? ""
    return "Kraken \(method)\(symbol): \(text)"
  }
}
