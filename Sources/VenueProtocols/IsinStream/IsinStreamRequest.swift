// What can be asked of the ISIN stream: one instrument a message.

public import MarketModel
import WireJSON

/// A command for the ISIN stream.
///
/// The server answers none of them.
public enum IsinStreamRequest: Hashable, Sendable {
  /// Quotes are wanted; the first comes at once. Asking again for a live ISIN resets its price.
  case subscribe(Symbol)
  /// Quotes are no longer wanted.
  case unsubscribe(Symbol)

  /// The command as it is sent: `{"subscribe":"US0378331005"}`.
  public var message: OutboundMessage {
    var writer = JSONWriter(capacity: 48)
    writer.beginObject()
    switch self {
    case .subscribe(let symbol):
      writer.member("subscribe", symbol.text)
    case .unsubscribe(let symbol):
      writer.member("unsubscribe", symbol.text)
    }
    writer.endObject()
    return OutboundMessage(.text, writer.bytes)
  }
}
