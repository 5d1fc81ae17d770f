// Where the simulated ISIN stream may follow the published server or be kinder than it.

/// The choices of a ``SimulatedIsinStream``.
public struct IsinStreamBehaviour: Sendable, Equatable {
  /// How numbers are written.
  public enum Digits: Sendable, Equatable {
    /// Up to 14 digits after the point, as the published server writes its doubles.
    case full
    /// Two digits, as the brief writes them.
    case two
  }

  /// What a message that is not JSON does.
  public enum Malformed: Sendable, Equatable {
    /// The connection that sent it is cut without a close frame.
    case dropsSender
    /// Every connection is cut: the published server's process dies.
    case dropsEveryone
  }

  /// Where a subscription starts the price.
  public enum FirstPrice: Sendable, Equatable {
    /// The market's, the same for everybody.
    case stable
    /// Anywhere from 0.02 to 300.02, for each subscription anew: subscribing again can jump by any
    /// amount. From there it moves as the market does.
    case anywhere
  }

  /// Full digits, only the sender dropped, stable prices: what people run.
  public static let usable = IsinStreamBehaviour()
  /// As ``usable``, with the two digits of the brief.
  public static let spec = IsinStreamBehaviour(digits: .two)
  /// As the published server, its faults included.
  public static let published = IsinStreamBehaviour(
    malformed: .dropsEveryone, firstPrice: .anywhere)

  /// How numbers are written.
  public let digits: Digits
  /// What a message that is not JSON does.
  public let malformed: Malformed
  /// Where a subscription starts the price.
  public let firstPrice: FirstPrice

  /// Makes a set of choices.
  public init(
    digits: Digits = .full, malformed: Malformed = .dropsSender, firstPrice: FirstPrice = .stable
  ) {
    self.digits = digits
    self.malformed = malformed
    self.firstPrice = firstPrice
  }
}
