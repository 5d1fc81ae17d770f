// Checks that need a built app: Xcode merged the parts of Info.plist, the named scene delegate
// exists, and SwiftUI is not linked (WL3). The rest is tested in the package.

import Foundation
import Testing
import UIKit

@Suite struct BundleTests {
  @Test func `the scene delegate that Info.plist names exists and no storyboard is named`() throws {
    let manifest = try #require(
      Bundle.main.object(forInfoDictionaryKey: "UIApplicationSceneManifest") as? [String: Any])
    let roles = try #require(manifest["UISceneConfigurations"] as? [String: [[String: Any]]])
    let scene = try #require(roles["UIWindowSceneSessionRoleApplication"]?.first)
    let name = try #require(scene["UISceneDelegateClassName"] as? String)
    #expect(NSClassFromString(name) is any UIWindowSceneDelegate.Type)
    #expect(scene["UISceneStoryboardFile"] == nil)
    #expect(Bundle.main.object(forInfoDictionaryKey: "UIMainStoryboardFile") == nil)
  }

  @Test func `the app has an icon, an accent colour and its resources`() {
    #expect(Bundle.main.object(forInfoDictionaryKey: "CFBundleIcons") != nil)
    #expect(UIColor(named: "AccentColor") != nil)
    #expect(Bundle.main.url(forResource: "PrivacyInfo", withExtension: "xcprivacy") != nil)
    #expect(Bundle.main.url(forResource: "Settings", withExtension: "bundle") != nil)
  }

  @Test @MainActor func `a list is on screen: the choice of markets, or the watchlist`() throws {
    let scene = try #require(UIApplication.shared.connectedScenes.first as? UIWindowScene)
    let navigation = try #require(
      scene.windows.first?.rootViewController as? UINavigationController)
    let view = try #require(navigation.topViewController?.view)
    #expect(hasList(view))
  }

  @MainActor private func hasList(_ view: UIView) -> Bool {
    view is UICollectionView || view.subviews.contains { hasList($0) }
  }

  @Test func `the app's own code links no SwiftUI`() throws {
    let executable = try #require(Bundle.main.executableURL)
    // Xcode puts a debug build's code into a library next to a small executable.
    let library = executable.appendingPathExtension("debug.dylib")
    var files = [executable]
    if FileManager.default.fileExists(atPath: library.path) { files.append(library) }
    for file in files {
      let code = try Data(contentsOf: file, options: .mappedIfSafe)
      #expect(code.range(of: Data("/SwiftUI.framework/".utf8)) == nil, "\(file.lastPathComponent)")
    }
  }
}
