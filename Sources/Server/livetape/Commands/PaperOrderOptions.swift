import ArgumentParser
import LivetapeServer
import MarketModel
import PaperTrading

/// `--fees` and `--order-latency`, shared by `serve` and `orders`.
struct PaperOrderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What a venue charges for paper orders, in percent for maker and taker; may be repeated.",
      discussion: "As in kraken=0.20/0.35. Without it, the venue's lowest tier.",
      valueName: "venue=maker/taker"),
    transform: PaperOrderOptions.fees)
  var fees: [VenueFees] = []
  @Option(
    help: ArgumentHelp(
      "How long paper orders in venues' markets are on their way, before they act on the book.",
      discussion: "\"measured\" is the round trip of the venue's latest ping.",
      valueName: "measured|milliseconds"),
    transform: PaperOrderOptions.latency)
  var orderLatency = OrderLatency.measured

  /// What a venue charges for paper orders.
  struct VenueFees {
    let venue: Venue
    let rates: FeeRates
  }

  /// Sets the options; throws a usage error if a venue is named twice.
  func apply(to configuration: inout LivetapeConfiguration) throws {
    configuration.fees = try Dictionary(fees.map { ($0.venue, $0.rates) }) { _, _ in
      throw ValidationError("--fees can be given once for each venue")
    }
    configuration.orderLatency = orderLatency
  }

  private static func latency(_ argument: String) throws -> OrderLatency {
    if argument == "measured" { return .measured }
    guard let milliseconds = Int64(argument),
      (0...OrderLatency.maximumMilliseconds).contains(milliseconds)
    else {
      throw ValidationError("it is \"measured\" or 0 to \(OrderLatency.maximumMilliseconds)")
    }
    return .fixed(milliseconds: milliseconds)
  }

  /// Parses `VENUE=MAKER/TAKER`.
  private static func fees(_ argument: String) throws -> VenueFees {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let rates = FeeRates(percent: parts[1]) else {
      throw ValidationError("it needs the form VENUE=MAKER/TAKER, in percent, as in 0.20/0.35")
    }
    return VenueFees(venue: try VenueURLOptions.venue(parts[0]), rates: rates)
  }
}
