public import MarketModel
import MarketStreams
import VenueCatalogue

/// One product (PD2–PD8), loaded over HTTP and updated by quotes.
///
/// A live quote takes precedence over the HTTP response; when quotes are not live, the later of the
/// two is shown. A price of the HTTP response counts as live for ten seconds and as late for a
/// minute.
public struct ProductScreen: Screen {
  /// A user action.
  public enum Action: Hashable, Sendable {
    /// Request the product again; ignored while a request is pending.
    case retry
  }

  /// Local failure codes that the screen distinguishes.
  static let networkFailureCode = "NETWORK"
  static let notFoundFailureCode = "NOT_FOUND"
  static let answerLateAfterMilliseconds: Int64 = 10_000
  static let answerStaleAfterMilliseconds: Int64 = 60_000

  /// The current product.
  public private(set) var state: ProductState

  private let identifier: Symbol?
  private var stream: QuoteStream?
  private var fetching = ProductFetching()
  private var answer: Product?
  /// Since when the feed has had nothing newer than a non-live or unreadable quote; nil while it is
  /// live.
  private var outdatedSince: ClockReading?

  /// Opens a product by typed text or a link.
  ///
  /// Text that is not an identifier fails at once, without a request.
  public init(identifier text: String, origin: DataOrigin = .venue) {
    identifier = ProductCatalogue.identifier(text)
    stream = identifier.map { QuoteStream(MarketKey(.bux, .quote, $0), origin: origin) }
    state = ProductState(
      identifier: identifier?.text ?? String(text.prefix(ProductCatalogue.maximumIdentifierLength)),
      phase: .loading, freshness: .waiting(origin))
    if identifier == nil {
      state.phase = .failed
      state.failure = ProductFailure(
        code: "BAD_IDENTIFIER",
        userMessage: "This is not a product identifier. They look like sb26493.", canRetry: false)
    }
  }

  /// The product's quotes, also while it loads; empty if it does not exist.
  public var wanted: Set<MarketKey> {
    guard let stream else { return [] }
    let isUnknown = state.phase == .failed && state.failure?.code == Self.notFoundFailureCode
    return isUnknown ? [] : [stream.key]
  }

  /// Applies responses for this product, its quotes, connection statuses, and timers.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    guard let identifier else { return [] }
    let wantedBefore = wanted
    var shouldAsk = false
    switch input {
    case .product(identifier, let result): take(result, at: now)
    case .connection(let status): shouldAsk = follow(status, at: now)
    case .value(let key, let value):
      _ = stream?.receive(.value(key, value))
      let isOutdated = stream?.freshness.state.isOutdated == true
      outdatedSince = isOutdated ? outdatedSince ?? now : nil
    case .product, .candles, .orders, .position, .survey: break
    case .timer: if fetching.isOverdue(at: now) { take(.failure(Self.noAnswer), at: now) }
    }
    shouldAsk = shouldAsk || fetching.isDue(at: now)
    refresh(at: now)
    var effects: [ScreenEffect] = []
    if shouldAsk, fetching.ask(at: now) { effects.append(.fetchProduct(identifier)) }
    if wanted != wantedBefore { effects.append(.wantedChanged) }
    return effects
  }

  /// Retries; a screen without a product returns to loading.
  public mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect] {
    guard let identifier, fetching.ask(at: now) else { return [] }
    let wantedBefore = wanted
    state.failure = nil
    if state.phase == .failed { state.phase = .loading }
    return [.fetchProduct(identifier)] + (wanted == wantedBefore ? [] : [.wantedChanged])
  }

  private static let noAnswer = ProductFailure(
    code: networkFailureCode, userMessage: "The venue does not answer. Trying again…",
    canRetry: true)

  private mutating func follow(_ status: ConnectionStatus, at now: ClockReading) -> Bool {
    guard let stream, status.venue == stream.key.venue else { return false }
    let wasUp = stream.link.phase?.isConnected == true
    _ = self.stream?.receive(.connection(status))
    return !wasUp && status.phase.isConnected && fetching.isDueAfterReconnect(at: now)
  }

  private mutating func take(_ result: Result<Product, ProductFailure>, at now: ClockReading) {
    switch result {
    case .success(let product) where product.identifier == identifier:
      answer = product
      state.phase = .shown
      state.failure = nil
      fetching.succeeded(at: now)
    case .success:
      let failure = ProductFailure(
        code: "BAD_ANSWER", userMessage: "The venue answered with another product.", canRetry: true)
      take(.failure(failure), at: now)
    case .failure(let failure):
      fetching.failed(failure, at: now)
      state.failure = failure
      if answer == nil { state.phase = .failed }
    }
  }

  private mutating func refresh(at now: ClockReading) {
    guard let answer, let loadedAt = fetching.loadedAt else { return }
    let quoted = quotedPrice(notOlderThan: loadedAt)
    let price = quoted?.price ?? answer.currentPrice
    show(answer, at: price.exactly(at: answer.decimals) ?? price)
    let freshness = quoted?.freshness ?? answerFreshness(loadedAt, at: now)
    // No updates are expected while the market is closed; a live quote proves that it is open.
    let isQuiet = answer.isMarketOpen == false && freshness.state != .disconnected
    state.freshness =
      isQuiet && quoted?.freshness.state != .live ? freshness.changed(to: .closed) : freshness
  }

  /// The quote's price and freshness if it takes precedence over the response's.
  private func quotedPrice(
    notOlderThan loadedAt: ClockReading
  ) -> (price: FixedDecimal, freshness: Freshness)? {
    guard let stream, let price = stream.value?.price else { return nil }
    let freshness = stream.freshness
    if freshness.state == .live { return (price, freshness) }
    guard let confirmed = freshness.confirmedAt, confirmed.monotonic >= loadedAt.monotonic else {
      return nil
    }
    return (price, freshness)
  }

  private func answerFreshness(_ loadedAt: ClockReading, at now: ClockReading) -> Freshness {
    let origin = stream?.freshness.origin ?? state.freshness.origin
    let age = now.monotonic.milliseconds(since: loadedAt.monotonic)
    let state: FreshnessState
    if stream?.link.isDown == true {
      state = .disconnected
    } else if age <= Self.answerLateAfterMilliseconds, !isOutdated(loadedAt) {
      state = .live
    } else {
      state = age <= Self.answerStaleAfterMilliseconds ? .late : .stale
    }
    return Freshness(
      state: state, origin: origin, confirmedAt: loadedAt,
      lateAfterMilliseconds: Self.answerLateAfterMilliseconds)
  }

  private func isOutdated(_ loadedAt: ClockReading) -> Bool {
    outdatedSince.map { $0.monotonic >= loadedAt.monotonic } ?? false
  }

  private mutating func show(_ product: Product, at price: FixedDecimal) {
    let before = state.details
    var direction = before?.direction ?? .unchanged
    var changes = before?.changes ?? 0
    if let old = before?.price, old != price {
      direction = price > old ? .up : .down
      changes &+= 1
    }
    state.details = ProductState.Details(
      symbol: product.symbol, name: product.displayName, currency: product.currency,
      decimals: product.decimals, price: price, closing: product.closingPrice,
      percent: PercentChange.from(product.closingPrice, to: price), direction: direction,
      changes: changes, market: product.isMarketOpen.map { $0 ? .open : .closed })
  }
}

extension FreshnessState {
  /// Whether a newer quote may exist.
  fileprivate var isOutdated: Bool {
    switch self {
    case .late, .stale, .resyncing: true
    case .waiting, .queued, .live, .disconnected, .closed: false
    }
  }
}

/// The state of a product's requests.
struct ProductFetching: Sendable, Equatable {
  /// A reconnect refetches a response older than this.
  static let oldAfterMilliseconds: Int64 = 60_000
  /// An unanswered request fails after this.
  static let patienceMilliseconds: Int64 = 30_000
  /// The first pause before an automatic retry; it doubles up to ``longestPauseMilliseconds``.
  static let firstPauseMilliseconds: Int64 = 5000
  static let longestPauseMilliseconds: Int64 = 60_000

  /// When the pending request was sent; nil without one.
  private(set) var askedAt: MonotonicTime?
  /// When the latest valid response arrived.
  private(set) var loadedAt: ClockReading?
  private var failedAt: MonotonicTime?
  private var failuresInARow = 0
  private var canRepeatByItself = false

  /// Starts a request unless one is pending; true if it must be sent.
  mutating func ask(at now: ClockReading) -> Bool {
    guard askedAt == nil else { return false }
    askedAt = now.monotonic
    return true
  }

  mutating func succeeded(at now: ClockReading) {
    (askedAt, loadedAt, failedAt, failuresInARow) = (nil, now, nil, 0)
  }

  mutating func failed(_ failure: ProductFailure, at now: ClockReading) {
    (askedAt, failedAt) = (nil, now.monotonic)
    failuresInARow += 1
    canRepeatByItself = failure.code == ProductScreen.networkFailureCode
  }

  func isOverdue(at now: ClockReading) -> Bool {
    guard let askedAt else { return false }
    return now.monotonic.milliseconds(since: askedAt) >= ProductFetching.patienceMilliseconds
  }

  /// Whether an automatic request is due: at the start, or after a pause when the network failed.
  func isDue(at now: ClockReading) -> Bool {
    guard askedAt == nil else { return false }
    guard let failedAt else { return loadedAt == nil }
    var pause = ProductFetching.firstPauseMilliseconds
    for _ in 1..<max(1, min(failuresInARow, 8)) { pause *= 2 }
    pause = min(pause, ProductFetching.longestPauseMilliseconds)
    return canRepeatByItself && now.monotonic.milliseconds(since: failedAt) >= pause
  }

  func isDueAfterReconnect(at now: ClockReading) -> Bool {
    if failedAt != nil { return canRepeatByItself }
    guard let loadedAt else { return false }
    let age = now.monotonic.milliseconds(since: loadedAt.monotonic)
    return age > ProductFetching.oldAfterMilliseconds
  }
}
