// Each brief in the built app, as a user touches it.

import XCTest

final class BriefFlowTests: XCTestCase {
  /// The built-in market may take this long to begin on a slow simulator, in seconds.
  private static let patience: Double = 60

  @MainActor func testTracker() { perform(.tracker) }
  @MainActor func testOrderBook() { perform(.orderBook) }
  @MainActor func testProduct() { perform(.product) }
  @MainActor func testExchange() { perform(.exchange) }

  @MainActor private func perform(_ flow: BriefFlow) {
    continueAfterFailure = false
    let app = XCUIApplication()
    app.launchArguments = ["-market", "built-in"]
    app.launch()
    for step in flow.steps {
      switch step {
      case .tap(let label): element(label, in: app).tap()
      case .choose(let option, _): element(option, in: app).tap()
      case .type(let text, let name):
        let field = app.textFields[name]
        require(field, step)
        field.tap()
        field.typeText(text)
        let done = app.buttons["Done"]
        if done.exists { done.tap() }
      case .see(let text):
        require(app.descendants(matching: .any).matching(contains(text)).firstMatch, step)
      }
    }
  }

  /// The button, link or row with a label.
  @MainActor private func element(_ label: String, in app: XCUIApplication) -> XCUIElement {
    let button = app.buttons[label].firstMatch
    if button.waitForExistence(timeout: 1) { return button }
    let found = app.descendants(matching: .any).matching(contains(label)).firstMatch
    require(found, .tap(label))
    return found
  }

  private func contains(_ text: String) -> NSPredicate {
    NSPredicate(format: "label CONTAINS %@ OR value CONTAINS %@", text, text)
  }

  @MainActor private func require(_ element: XCUIElement, _ step: BriefFlow.Step) {
    XCTAssertTrue(element.waitForExistence(timeout: Self.patience), "\(step)")
  }
}
