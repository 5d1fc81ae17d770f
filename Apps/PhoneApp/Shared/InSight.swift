import PhoneStores
import SwiftUI

/// Opens a screen when its content appears and closes it when it disappears.
///
/// SwiftUI reports each branch of a `Group` and each of several views separately, the new one
/// before the old: a screen opened by one branch would be closed by the other. The container is one
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
  /// Opens a screen when it appears and closes it when it disappears; apply it to the screen's
  /// content before any other modifier.
  func whileInSight(open: @escaping () -> Void, close: @escaping () -> Void) -> some View {
    modifier(InSight(open: open, close: close))
  }
}
