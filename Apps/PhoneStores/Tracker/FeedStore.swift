package import AppState
package import Combine
package import MarketModel

/// The price tracker's list, split so that a price redraws one row (PT1).
///
/// Each row has its own store; the list observes only what is not a row's.
@MainActor package final class FeedStore: ObservableObject {
  /// What the list shows besides its rows.
  package struct Frame: Equatable {
    package let running: Bool
    package let connection: ConnectionIndicator
    package let order: [Symbol]
    package let freshness: Freshness
    package let now: ClockReading
    package let notice: ConnectionNotice?

    /// Equal frames look the same: confirmations and seconds that change no word don't count.
    package static func == (one: Frame, other: Frame) -> Bool {
      one.running == other.running && one.connection == other.connection
        && one.order == other.order && one.notice == other.notice
        && FreshnessText.words(one.freshness, at: one.now)
          == FreshnessText.words(other.freshness, at: other.now)
    }
  }

  @Published package private(set) var frame: Frame
  /// A store for each symbol.
  package let rows: [Symbol: FeedRowStore]
  package let currency: String
  package let decimals: Scale

  private let screen: ScreenStore<FeedScreen>
  private var state: FeedState
  private var flashes: [FlashID: Direction] = [:]
  private var changes: [AnyCancellable] = []

  package init(feeds: FeedClient) {
    screen = ScreenStore(FeedScreen(), feeds: feeds)
    state = screen.state
    frame = FeedStore.frame(state, screen.now, nil)
    rows = state.rows.mapValues(FeedRowStore.init)
    (currency, decimals) = (state.currency, state.decimals)
    // Each receives the new value before the screen's own property has it.
    changes = [
      screen.$state.sink { [weak self] state in
        self?.state = state
        self?.show()
      },
      screen.$flashes.sink { [weak self] flashes in
        self?.flashes = flashes
        self?.showRows()
      },
      screen.$now.sink { [weak self] now in
        if let self { show(frame.notice, at: now) }
      },
      screen.$notice.sink { [weak self] notice in
        if let self { show(notice, at: screen.now) }
      },
    ]
  }

  package func open() { screen.open() }

  package func close() { screen.close() }

  package func send(_ action: FeedScreen.Action) { screen.send(action) }

  /// A remedy starts the feed the way its own button does.
  package func follow(_ remedy: ConnectionNotice.Remedy) {
    if remedy == .start { send(.start) } else { screen.follow(remedy) }
  }

  private func show() {
    show(frame.notice, at: screen.now)
    showRows()
  }

  private func show(_ notice: ConnectionNotice?, at now: ClockReading) {
    let frame = FeedStore.frame(state, now, notice)
    if self.frame != frame { self.frame = frame }
  }

  private func showRows() {
    for (symbol, row) in rows {
      if let shown = state.rows[symbol] { row.show(shown, flashes[.price(symbol.text)]) }
    }
  }

  private static func frame(
    _ state: FeedState, _ now: ClockReading, _ notice: ConnectionNotice?
  ) -> Frame {
    Frame(
      running: state.running, connection: state.connection, order: state.order,
      freshness: state.freshness, now: now, notice: notice)
  }
}

/// A stock of the price tracker.
@MainActor package final class FeedRowStore: ObservableObject {
  @Published package private(set) var row: FeedRow
  /// The direction of its flash; nil without one.
  @Published package private(set) var flash: Direction?

  package init(_ row: FeedRow) { self.row = row }

  package func show(_ row: FeedRow, _ flash: Direction?) {
    if self.row != row { self.row = row }
    if self.flash != flash { self.flash = flash }
  }
}
