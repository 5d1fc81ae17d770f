// Checks that need a built app: Xcode merged the parts of Info.plist and compiled the asset
// catalogue. Everything else is tested in the package.

import Foundation
import Testing
import UIKit

@Suite struct BundleTests {
  @Test func `links with the scheme stocks lead into this app`() throws {
    let types = try #require(
      Bundle.main.object(forInfoDictionaryKey: "CFBundleURLTypes") as? [[String: Any]])
    let schemes = types.compactMap { $0["CFBundleURLSchemes"] as? [String] }.flatMap { $0 }
    #expect(schemes == ["stocks"])
  }

  @Test func `the app has one window, also on a tablet`() throws {
    let manifest = try #require(
      Bundle.main.object(forInfoDictionaryKey: "UIApplicationSceneManifest") as? [String: Any])
    #expect(manifest["UIApplicationSupportsMultipleScenes"] as? Bool == false)
  }

  @Test func `the app has an icon, an accent colour and its resources`() {
    #expect(Bundle.main.object(forInfoDictionaryKey: "CFBundleIcons") != nil)
    #expect(UIColor(named: "AccentColor") != nil)
    #expect(Bundle.main.url(forResource: "PrivacyInfo", withExtension: "xcprivacy") != nil)
  }
}
