package import Combine
package import FeedConnections

/// The app on the markets that the user has chosen; another choice replaces the model.
@MainActor package final class AppSession: ObservableObject {
  /// Nil until the user has chosen, and while the choice changes.
  @Published package var model: AppModel?
  package let scope: AppScope
  private var environment: AppEnvironment

  package init(_ scope: AppScope, in environment: AppEnvironment) {
    (self.scope, self.environment) = (scope, environment)
    if let choice { start(choice) }
  }

  /// Starts with a model, in an environment for the next.
  package init(_ model: AppModel, in environment: AppEnvironment) {
    (self.model, scope, self.environment) = (model, model.scope, environment)
    model.session = self
  }

  /// The stored choice; nil before the first.
  package var choice: MarketChoice? { environment.preferences.markets }

  /// Stores a choice and continues with it once the former connections and files are closed.
  package func use(_ choice: MarketChoice) {
    environment.preferences.markets = choice
    guard let former = model else { return start(choice) }
    model = nil
    Task {
      await former.end()
      start(choice)
    }
  }

  private func start(_ choice: MarketChoice) {
    let model = environment.model(of: scope, choice)
    model.session = self
    self.model = model
  }
}
