/// How closely a ``SimulatedIsinStream`` follows the published server.
public struct IsinStreamBehaviour: Sendable, Equatable {
  /// How numbers are written.
  public enum Digits: Sendable, Equatable {
    /// Up to 14 digits after the point, as the published server writes its doubles.
    case full
    /// Two digits, as the brief writes them.
    case two
  }

  /// The effect of a message that is not JSON.
  public enum Malformed: Sendable, Equatable {
    /// The connection that sent it is cut without a close frame.
    case dropsSender
    /// Every connection is cut: the published server's process dies.
    case dropsEveryone
  }

  /// The first price of a subscription.
  public enum FirstPrice: Sendable, Equatable {
    /// The market's, the same for all clients.
    case stable
    /// Anywhere from 0.02 to 300.02, for each subscription: resubscribing can change the price by
    /// any amount. From there it moves like the market.
    case anywhere
  }

  /// Full digits, only the sender dropped, stable prices: for normal use.
  public static let usable = IsinStreamBehaviour()
  /// As ``usable``, with the two digits of the brief.
  public static let spec = IsinStreamBehaviour(digits: .two)
  /// As the published server, its faults included.
  public static let published = IsinStreamBehaviour(
    malformed: .dropsEveryone, firstPrice: .anywhere)

  /// How numbers are written.
  public let digits: Digits
  /// The effect of a message that is not JSON.
  public let malformed: Malformed
  /// The first price of a subscription.
  public let firstPrice: FirstPrice

  /// Creates a set of choices.
  public init(
    digits: Digits = .full, malformed: Malformed = .dropsSender, firstPrice: FirstPrice = .stable
  ) {
    self.digits = digits
    self.malformed = malformed
    self.firstPrice = firstPrice
  }
}
