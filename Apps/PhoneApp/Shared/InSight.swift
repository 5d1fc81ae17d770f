// How long a screen follows its streams: from coming into sight until it leaves it.

import SwiftUI

/// Opens a screen when it comes into sight and closes it when it leaves it, whatever it shows.
///
/// SwiftUI tells each branch of a `Group` and each of several views by itself, the new one before
/// the old: a screen that opened in one branch would be closed by the other. The container is one
/// view that stays.
private struct InSight: ViewModifier {
  let open: () -> Void
  let close: () -> Void

  func body(content: Content) -> some View {
    ZStack { content }
      .onAppear { open() }
      .onDisappear { close() }
  }
}

extension View {
  /// Opens a screen when it comes into sight and closes it when it leaves it; to be said of the
  /// screen's content before anything else.
  func whileInSight(open: @escaping () -> Void, close: @escaping () -> Void) -> some View {
    modifier(InSight(open: open, close: close))
  }
}
