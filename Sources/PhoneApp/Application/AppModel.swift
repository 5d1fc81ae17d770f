// What all screens share: the feeds, where the person is, how numbers read, and the settings.

public import Combine
import Foundation
import MarketModel
import VenueProtocols

/// What all screens share.
@MainActor public final class AppModel: ObservableObject {
  /// The feeds; one set for all screens.
  public let feeds: FeedClient
  /// Where the person is.
  public let router: Router
  /// Light, dark, or as the system has it.
  @Published public var theme: Theme {
    didSet { preferences.theme = theme }
  }

  let numbers = NumberTexts()
  let vault: any TokenVault
  private var preferences: any Preferences
  private var phases: [VenueName: ConnectionPhase] = [:]
  private var statuses: FeedClient.Observation?
  private var paused: Set<VenueName>?

  /// Puts the parts together; nothing is connected yet.
  public init(feeds: FeedClient, vault: any TokenVault, preferences: any Preferences) {
    self.feeds = feeds
    self.vault = vault
    self.preferences = preferences
    router = Router()
    theme = preferences.theme
    statuses = feeds.observeConnections { [weak self] status in
      self?.phases[status.venue] = status.phase
    }
  }

  /// Keeps another token for products and uses it from now on (PD9); nil forgets it.
  ///
  /// - Returns: what came of it, for people.
  func replaceToken(_ token: String?) -> String {
    if let token, AccessToken(token) == nil {
      return "This is no token: it may hold letters, digits and signs, but no spaces."
    }
    do throws(TokenVaultError) {
      try vault.write(token)
    } catch {
      return "The token could not be kept: \(error.description)."
    }
    feeds.useToken(token)
    return token == nil ? "The token is removed." : "The token is saved."
  }

  /// The app left the screen (PD8): the system will cut its sockets off anyway, so they are closed
  /// in good order.
  ///
  /// Venues that the person had stopped are not started again on return.
  public func enterBackground() {
    guard paused == nil else { return }
    let running = phases.filter { $0.value != .stopped && $0.value != .idle }.map(\.key)
    paused = Set(running)
    running.forEach(feeds.stop)
  }

  /// The app is back: what was connected before is connected again, at once.
  public func enterForeground() {
    guard let paused else { return }
    self.paused = nil
    paused.sorted().forEach(feeds.start)
  }
}
