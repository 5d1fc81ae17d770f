import Foundation

#if canImport(UserNotifications)
  import UserNotifications

  /// Has the system show notifications also while the app is in front.
  private final class NoticePresenter: NSObject, UNUserNotificationCenterDelegate, Sendable {
    static let shared = NoticePresenter()

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler:
        @escaping (UNNotificationPresentationOptions) -> Void
    ) {
      completionHandler([.banner, .list, .sound])
    }
  }
#endif

/// Notifications of the system.
enum LocalNotice {
  #if canImport(UserNotifications)
    /// Nil in tests: the system's needs an app's bundle.
    private static var center: UNUserNotificationCenter? {
      Bundle.main.bundleURL.pathExtension == "app" ? .current() : nil
    }
  #endif

  /// Requests the user's permission; the system asks only once.
  static func ask() {
    #if canImport(UserNotifications)
      center?.requestAuthorization(options: [.alert, .sound]) { _, _ in }
    #endif
  }

  /// Shows a notification now.
  static func post(title: String, text: String) {
    #if canImport(UserNotifications)
      let content = UNMutableNotificationContent()
      (content.title, content.body, content.sound) = (title, text, .default)
      center?.delegate = NoticePresenter.shared
      center?.add(
        UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil))
    #endif
  }
}
