#if canImport(Accessibility)
  import Accessibility
#endif

/// Speaks to screen readers.
package enum Announcement {
  static func post(_ text: String) {
    #if canImport(Accessibility)
      AccessibilityNotification.Announcement(text).post()
    #endif
  }
}
