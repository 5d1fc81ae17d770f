import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// An asset's spot markets at all venues: the best prices across them, then a row for each venue.
///
/// A venue whose book is late, invalid or one-sided keeps its row, but is named as not counted.
struct AssetView: View {
  private let asset: Asset
  @ObservedObject private var router: Router
  private let feeds: FeedClient
  private let screen: AssetScreen?
  @Environment(\.locale) private var locale

  init(asset: Asset, router: Router, feeds: FeedClient, closed: Set<Venue>) {
    (self.asset, self.router, self.feeds) = (asset, router, feeds)
    screen = AssetScreen(asset, closed: closed)
  }

  private var title: String { "\(asset.base) / \(asset.quote)" }

  var body: some View {
    Group {
      if let screen {
        AssetMarkets(screen: screen, router: router, feeds: feeds)
      } else {
        ContentUnavailableView {
          Label("No market found", systemImage: "questionmark.circle")
        } description: {
          Text(locale.text("No venue of this app trades \(asset.base) in \(asset.quote)."))
        }
      }
    }
    .navigationTitle(title)
    .smallTitle()
  }
}

private struct AssetMarkets: View {
  @ObservedObject private var router: Router
  @StateObject private var store: ScreenStore<AssetScreen>
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  init(screen: AssetScreen, router: Router, feeds: FeedClient) {
    self.router = router
    _store = StateObject(wrappedValue: ScreenStore(screen, feeds: feeds))
  }

  var body: some View {
    List {
      Section {
        ForEach(state.shown, id: \.instrument.marketName) { market in
          Button {
            router.go(to: .book(market.instrument.marketName))
          } label: {
            AssetRow(market: market, best: state.best, now: store.now)
          }
          .ownLook()
        }
      } header: {
        VStack(alignment: .leading, spacing: 4) {
          if let best = state.best {
            FactRow(name: "Best bid", value: offer(best.bid, state.venues(bidding: best.bid)))
            FactRow(name: "Best ask", value: offer(best.ask, state.venues(asking: best.ask)))
            if let spread = best.basisPoints {
              // Negative where the venues' prices cross.
              FactRow(
                name: "Spread",
                value: model.numbers.amount(spread, locale: locale)
                  .replacingOccurrences(of: "-", with: "−") + " bp"
                  + (best.confirmedAt.map { " · " + locale.text(AgeText.since($0, at: store.now)) }
                    ?? ""))
            }
          } else {
            Text("No venue has a valid book.")
          }
          Text(locale.text(count)).font(.footnote).foregroundStyle(.secondary)
          if let excluded = state.excluded {
            Text(locale.text(excluded)).font(.footnote).foregroundStyle(.secondary)
          }
        }
        .font(.body)
        .foregroundStyle(Color.primary)
      }
      .textCase(nil)
    }
    .listStyle(.plain)
    .whileInSight(open: store.open, close: store.close)
  }

  private var state: AssetState { store.state }

  /// "3 of 5 venues".
  private var count: Sentence {
    let counted = state.markets.count { $0.isCounted }
    return "\(counted) of \(state.shown.count) venues"
  }

  /// "64,225.8 · Coinbase, Kraken".
  private func offer(_ price: FixedDecimal, _ venues: [Venue]) -> String {
    let names = venues.map(\.displayName).joined(separator: ", ")
    return "\(model.numbers.amount(price, locale: locale)) · \(names)"
  }
}

/// A venue's best prices with their sizes, its spread, and the age and state of its book.
private struct AssetRow: View {
  let market: AssetMarketState
  let best: AssetQuote?
  let now: ClockReading
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      TwoEnds {
        Text(market.instrument.venue.displayName).font(.headline)
      } trailing: {
        if market.isKnown {
          FreshnessLine(freshness: market.freshness, now: now)
        } else {
          Text("not listed").font(.footnote).foregroundStyle(.secondary)
        }
      }
      TwoEnds {
        OfferText(
          name: "Bid", offer: market.bid,
          isBest: market.isCounted && market.bid?.price == best?.bid)
      } trailing: {
        OfferText(
          name: "Ask", offer: market.ask,
          isBest: market.isCounted && market.ask?.price == best?.ask)
      }
      if let details {
        Text(details).font(.caption).foregroundStyle(.secondary).monospacedDigit()
      }
    }
    .foregroundStyle(Color.primary)
    .opacity(market.isCounted ? 1 : 0.5)
    .contentShape(Rectangle())
    .accessibilityElement(children: .combine)
  }

  /// "Spread 0.16 bp · last 64,226.2 · +0.22% 24 h".
  private var details: String? {
    var parts: [Sentence] = []
    if let spread = market.spreadBasisPoints {
      parts.append("Spread \(model.numbers.amount(spread, locale: locale)) bp")
    }
    if let last = market.figures?.last {
      parts.append("last \(model.numbers.amount(last, locale: locale))")
    }
    if let percent = market.figures?.changePercent {
      parts.append("\(model.numbers.signedPercent(percent, locale: locale)) 24 h")
    }
    return parts.isEmpty ? nil : locale.text(Sentence(joining: parts, by: " · "))
  }
}

/// "Bid 64,225.8 × 0.215", in bold where it is the best of all venues.
private struct OfferText: View {
  let name: Sentence
  let offer: AssetOffer?
  let isBest: Bool
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale

  var body: some View {
    Text(words)
      .font(.subheadline)
      .fontWeight(isBest ? .bold : .regular)
      .monospacedDigit()
      .lineLimit(1)
      .minimumScaleFactor(0.6)
      .accessibilityLabel(isBest ? locale.text("best \(words)") : words)
  }

  private var words: String {
    let name = locale.text(name)
    guard let offer else { return "\(name) –" }
    let price = model.numbers.amount(offer.price, locale: locale)
    return "\(name) \(price) × \(model.numbers.quantity(offer.size, locale: locale).text)"
  }
}

extension AssetState {
  /// The markets that exist, or all while none is known to.
  fileprivate var shown: [AssetMarketState] {
    let known = markets.filter(\.isKnown)
    return known.isEmpty ? markets : known
  }

  /// "Not counted: OKX (late), Bybit (not listed)"; nil if all are counted.
  fileprivate var excluded: Sentence? {
    let names = shown.filter { !$0.isCounted }.map { market -> Sentence in
      let isLive = market.freshness.state == .live
      let reason: Sentence =
        !market.isKnown
        ? "not listed" : isLive ? "one side is empty" : market.freshness.state.phrase
      return "\(market.instrument.venue.displayName) (\(reason))"
    }
    return names.isEmpty ? nil : "Not counted: \(Sentence(joining: names, by: ", "))"
  }

  fileprivate func venues(bidding price: FixedDecimal) -> [Venue] {
    markets.filter { $0.isCounted && $0.bid?.price == price }.map(\.instrument.venue)
  }

  fileprivate func venues(asking price: FixedDecimal) -> [Venue] {
    markets.filter { $0.isCounted && $0.ask?.price == price }.map(\.instrument.venue)
  }
}
