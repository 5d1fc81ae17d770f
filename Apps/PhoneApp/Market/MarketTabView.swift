import AppState
import Foundation
import MarketModel
import PhoneStores
import SwiftUI
import VenueCatalogue

/// OB2: an instrument's chart and lists under a tab control; only the list scrolls.
///
/// On a tablet the list of markets is beside it, and an open ticket, too.
struct MarketTabView: View {
  let feeds: FeedClient
  @ObservedObject var router: Router
  let closed: Set<Venue>
  /// Whether orders can be placed.
  let trades: Bool
  @State private var inBase = false
  @State private var showsAlerts = false
  @State private var ticket: TicketRequest?
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.horizontalSizeClass) private var horizontalSizeClass
  @Environment(\.verticalSizeClass) private var verticalSizeClass

  var body: some View {
    if isTablet {
      NavigationSplitView {
        MarketListView(router: router, feeds: feeds, closed: closed, shown: router.instrument)
      } detail: {
        stack
      }
      .onChange(of: router.markets, initial: true) { _, above in
        // The list is there already.
        if above.contains(.markets) { router.markets.removeAll { $0 == .markets } }
      }
    } else {
      stack
    }
  }

  private var stack: some View {
    NavigationStack(path: $router.markets) {
      VStack(spacing: 0) {
        if let symbol = router.instrument {
          MarketHeadline(symbol: symbol, feeds: feeds).id(symbol)
        }
        Picker("List", selection: $router.market) {
          ForEach(MarketTab.allCases, id: \.self) { tab in
            Text(locale.text(tab.name)).tag(tab)
          }
        }
        .pickerStyle(.segmented)
        .padding(.horizontal)
        .padding(.bottom, 8)
        if let symbol = router.instrument {
          InstrumentListView(symbol: symbol, tab: router.market, inBase: $inBase, feeds: feeds)
            .id(symbol)
          if let tradable {
            TradeBar(instrument: tradable, trading: model.trading, request: $ticket).id(symbol)
          }
        }
      }
      .navigationTitle(isTablet ? "" : router.instrument?.text ?? locale.text("Market"))
      .smallTitle()
      .toolbar {
        // In the title's place: a phone has no room for a title beside it, and a tablet may have
        // its tabs there.
        ToolbarItem(placement: isTablet ? .barStart : .principal) {
          HStack(spacing: 0) {
            if let market { FavouriteButton(market: market) }
            InstrumentPicker(instrument: $router.instrument, closed: closed)
          }
        }
        ToolbarItem(placement: .barEnd) {
          if let asset {
            Button {
              router.go(to: .asset(asset))
            } label: {
              Label("Compare venues", systemImage: "square.stack")
            }
          }
        }
        ToolbarItem(placement: .barEnd) {
          if market != nil {
            Button {
              showsAlerts = true
            } label: {
              Label("Price alerts", systemImage: "bell")
            }
          }
        }
        ToolbarItem(placement: .barEnd) {
          if !isTablet {
            Button {
              router.go(to: .markets)
            } label: {
              Label("All markets", systemImage: "magnifyingglass")
            }
            .keyboardShortcut("f")
          }
        }
      }
      .sheet(isPresented: $showsAlerts) {
        if let market { AlertsView(market: market, store: model.alerts) }
      }
      .modifier(MarketTickets(request: $ticket, isBeside: isTablet))
      .onChange(of: router.instrument) { _, _ in
        ticket = ticket.flatMap { open in
          tradable.map { TicketRequest(instrument: $0, side: open.side) }
        }
      }
      .navigationDestination(for: Route.self) { route in
        switch route {
        case .markets: MarketListView(router: router, feeds: feeds, closed: closed)
        case .asset(let asset):
          AssetView(asset: asset, router: router, feeds: feeds, closed: closed).id(asset)
        default: EmptyView()
        }
      }
    }
  }

  private var isTablet: Bool {
    horizontalSizeClass == .regular && verticalSizeClass == .regular
  }

  private var known: BookInstrument? {
    router.instrument.flatMap { BookCatalogue.instrument($0) }
  }

  private var market: InstrumentKey? { known.map { InstrumentKey($0.venue, $0.symbol) } }

  /// The market, if paper orders can be placed in it.
  private var tradable: BookInstrument? {
    known.flatMap { trades && $0.obstacle == nil ? $0 : nil }
  }

  /// The asset of a spot market that may have others at other venues.
  private var asset: Asset? {
    guard let known,
      known.contract == .base, let asset = Asset(base: known.base, quote: known.quote),
      asset.markets(closed: closed).count > 1
    else { return nil }
    return asset
  }
}

/// The instrument's figures, above any of its lists; empty for an unknown instrument.
struct MarketHeadline: View {
  let symbol: Symbol
  let feeds: FeedClient

  var body: some View {
    if let known = BookCatalogue.instrument(symbol),
      let screen = FiguresScreen(InstrumentKey(known.venue, known.symbol))
    {
      Headline(
        HeadlineSubject(
          name: known.name,
          unit: known.contract.countsBase ? Sentence(verbatim: known.base) : "contracts"),
        screen: screen, feeds: feeds
      )
      .padding(.bottom, 8)
    }
  }
}

/// The selected list; where there is room (EX8), with the chart beside it.
struct InstrumentListView: View {
  let symbol: Symbol
  let tab: MarketTab
  @Binding var inBase: Bool
  let feeds: FeedClient
  @Environment(\.verticalSizeClass) private var verticalSizeClass
  @Environment(\.horizontalSizeClass) private var horizontalSizeClass
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    HStack(alignment: .top, spacing: 0) {
      if tab == .chart || isBeside { InstrumentChart(symbol: symbol, isAlone: tab == .chart) }
      switch tab {
      case .chart: EmptyView()
      case .book: OrderBookView(symbol: symbol, inBase: $inBase, feeds: feeds)
      case .trades: TradesView(symbol: symbol, inBase: $inBase, feeds: feeds)
      }
    }
  }

  /// Shows "unknown symbol" only once.
  private var isBeside: Bool {
    let shape = ScreenShape(
      horizontal: horizontalSizeClass, vertical: verticalSizeClass, type: typeSize)
    return shape == .beside && BookCatalogue.instrument(symbol) != nil
  }
}

/// An instrument's chart; it records from the first time it is shown.
struct InstrumentChart: View {
  let symbol: Symbol
  let isAlone: Bool
  @EnvironmentObject private var model: AppModel
  @Environment(\.locale) private var locale
  @Environment(\.dynamicTypeSize) private var typeSize

  var body: some View {
    if let known = BookCatalogue.instrument(symbol),
      let chart = model.charts.chart(known.venue, known.symbol)
    {
      // Very large text would leave no room for the picture.
      if typeSize.isAccessibilitySize {
        ScrollView {
          ChartView(
            name: known.name, store: chart, isAlone: isAlone, height: ChartView.scrollingHeight)
        }
      } else {
        ChartView(name: known.name, store: chart, isAlone: isAlone)
      }
    } else {
      ContentUnavailableView {
        Label("No chart", systemImage: "questionmark.circle")
      } description: {
        Text(locale.text("There is no instrument called \(symbol) here."))
      }
    }
  }
}

/// The screen's title: the instrument and its venue, and a menu of others.
struct InstrumentPicker: View {
  @Binding var instrument: Symbol?
  let closed: Set<Venue>
  @Environment(\.locale) private var locale

  var body: some View {
    Menu {
      Picker("Instrument", selection: $instrument) {
        ForEach(choices, id: \.marketName) { choice in
          Text(verbatim: "\(choice.name) (\(choice.venue.displayName))").tag(
            Optional(choice.marketName))
        }
        if let instrument, BookCatalogue.instrument(instrument) == nil {
          Text(locale.text("\(instrument) (unknown)")).tag(Optional(instrument))
        }
      }
    } label: {
      VStack(spacing: 0) {
        HStack(spacing: 4) {
          Text(title).font(.headline).foregroundStyle(Color.primary)
          Image(systemName: "chevron.up.chevron.down").font(.caption)
        }
        if let known {
          Text(known).font(.caption).foregroundStyle(Color.secondary)
        }
      }
      .lineLimit(1)
      .minimumScaleFactor(0.7)
    }
    .accessibilityLabel("Choose the instrument")
    .accessibilityValue([title, known].compactMap(\.self).joined(separator: ", "))
  }

  private var title: String {
    guard let instrument else { return locale.text("Market") }
    return (BookCatalogue.instrument(instrument)?.symbol ?? instrument).text
  }

  /// "Bitcoin / US dollar · BitMEX"; nil for an unknown instrument.
  private var known: String? {
    instrument.flatMap { BookCatalogue.instrument($0) }.map {
      "\($0.name) · \($0.venue.displayName)"
    }
  }

  /// The open venues' catalogue, and any instrument opened by a link.
  private var choices: [BookInstrument] {
    let all = BookCatalogue.instruments.filter { !closed.contains($0.venue) }
    guard let instrument, !all.contains(where: { $0.marketName == instrument }) else { return all }
    return all + (BookCatalogue.instrument(instrument).map { [$0] } ?? [])
  }
}

/// Above a list: its freshness, and the switch to base-currency sizes where that applies (OB3).
struct ListHead: View {
  let freshness: Freshness
  let now: ClockReading
  let instrument: BookInstrument
  @Binding var inBase: Bool
  /// What validates the rows below; nil for nothing.
  var proof: Sentence?
  /// The result of comparing the instrument's streams; nil where there is nothing to compare.
  var witnesses: Sentence?
  @Environment(\.locale) private var locale

  var body: some View {
    TwoEnds {
      VStack(alignment: .leading, spacing: 0) {
        FreshnessLine(freshness: freshness, now: now)
        if let proof {
          Text(locale.text(proof)).font(.caption).foregroundStyle(.secondary).monospacedDigit()
        }
        if let witnesses {
          Text(locale.text(witnesses)).font(.caption).foregroundStyle(.secondary).monospacedDigit()
        }
      }
    } trailing: {
      if instrument.contract == .inverse {
        Toggle(isOn: $inBase) { Text(locale.text("Qty in \(instrument.base)")) }
          .font(.footnote)
          .fixedSize(horizontal: true, vertical: false)
      }
    }
    .padding(.horizontal)
    .padding(.bottom, 4)
  }
}
