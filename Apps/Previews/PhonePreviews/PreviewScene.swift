// A screen of the app in a state, and how it comes to be: by what a person does and what the feeds
// bring, never by setting what is shown.

import Foundation

/// A screen to look at.
struct PreviewScene: Sendable {
  /// Its name in addresses.
  let id: String
  /// What it shows, for people.
  let title: String
  /// The web's screen to compare it with; nil where the web has none.
  var web: String?
  /// Whether it is laid out otherwise on an iPad.
  var isForPad = false
  /// About how large its chart is on a device; the stand-in lays nothing out.
  var chart: [PreviewDevice: CGSize] = [:]
  /// Whether its list is scrolled to its end, for what does not fit at first.
  var isAtEnd = false
  /// Brings the app there.
  let play: @MainActor @Sendable (Stage) async throws -> Void

  /// The devices that it is drawn for.
  var devices: [PreviewDevice] { isForPad ? PreviewDevice.allCases : [.phone] }
}
