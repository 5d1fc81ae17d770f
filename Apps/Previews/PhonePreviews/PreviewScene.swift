import Foundation

/// A screen of the app in a state, reached by user actions and feed data, never by setting what is
/// shown.
struct PreviewScene: Sendable {
  /// The name in URLs.
  let id: String
  let title: String
  /// The web's screen to compare with; nil where the web has none.
  var web: String?
  var isForPad = false
  /// The approximate size of its chart on a device; the stand-in has no layout.
  var chart: [PreviewDevice: CGSize] = [:]
  /// Whether its list is scrolled to the end, to show what does not fit at first.
  var isAtEnd = false
  let play: @MainActor @Sendable (Stage) async throws -> Void

  var devices: [PreviewDevice] { isForPad ? PreviewDevice.allCases : [.phone] }
}
