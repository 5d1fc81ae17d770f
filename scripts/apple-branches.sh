#!/usr/bin/env bash
# Checks the types of the code that only Apple's systems compile (`#if canImport(…)`) against stubs
# of the modules that it imports. In each target a sample of each branch must be refused.
#   scripts/apple-branches.sh   (after `swift build`)
# The stubs prove names and types as written here, not those of Apple's headers.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
built=$(swift build --show-bin-path)
work=$root/.build/apple-branches
rm -rf "$work"
mkdir -p "$work/modules"
cd "$work" || exit 1
mapfile -t files < <(ls "$built"/*.build/module.modulemap \
  "$root"/.build/checkouts/*/Sources/*/include/module.modulemap \
  "$root"/.build/checkouts/*/Sources/*/module.modulemap \
  "$root"/Sources/*/*/module.modulemap "$root"/Sources/*/*/include/module.modulemap 2>/dev/null)
maps=()
for file in "${files[@]}"; do maps+=(-Xcc "-fmodule-map-file=$file"); done

stub() {
  cat >"$1.swift"
  swiftc -emit-module -parse-as-library -swift-version 6 -module-name "$1" \
    -o "modules/$1.swiftmodule" "$1.swift" || exit 1
}

stub Darwin <<'END'
@_exported import Glibc
END

stub Accessibility <<'END'
public enum AccessibilityNotification {
  public struct Announcement {
    public init(_ text: String) {}
    public func post() {}
  }
}
END

stub CryptoKit <<'END'
public struct SHA256 {
  public struct Digest: Sequence {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
  }
  public static func hash<D: Collection>(data: D) -> Digest where D.Element == UInt8 { Digest() }
}
END

# A preview is checked as a function, since its macro is Apple's.
stub DeveloperToolsSupport <<'END'
END

stub Network <<'END'
public import Dispatch

public struct NWInterface: Sendable { public let name: String }
public struct NWPath: Sendable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  public let status: Status
  public let availableInterfaces: [NWInterface]
}
public final class NWPathMonitor: @unchecked Sendable {
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
  public init() {}
  public func start(queue: DispatchQueue) {}
  public func cancel() {}
}
END

stub Security <<'END'
public typealias CFString = String
public typealias CFDictionary = [CFString: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32
public let (errSecSuccess, errSecItemNotFound): (OSStatus, OSStatus) = (0, -25300)
public let (kSecClass, kSecClassGenericPassword, kSecAttrService, kSecAttrAccount) =
  ("class", "genp", "svce", "acct")
public let (kSecReturnData, kSecMatchLimit, kSecMatchLimitOne, kSecValueData) =
  ("r_Data", "m_Limit", "m_LimitOne", "v_Data")
public let (kSecAttrAccessible, kSecAttrAccessibleWhenUnlockedThisDeviceOnly) = ("pdmn", "aku")
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { 0 }
END

stub UserNotifications <<'END'
public import Foundation

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let (sound, alert) = (Self(rawValue: 2), Self(rawValue: 4))
}
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let (sound, list, banner) =
    (Self(rawValue: 2), Self(rawValue: 8), Self(rawValue: 16))
}
public class UNNotification: NSObject {}
public class UNNotificationSound: NSObject, @unchecked Sendable {
  public static let `default` = UNNotificationSound()
}
public class UNNotificationTrigger: NSObject {}
public class UNNotificationContent: NSObject {}
public final class UNMutableNotificationContent: UNNotificationContent {
  public var title = ""
  public var body = ""
  public var sound: UNNotificationSound?
}
public final class UNNotificationRequest: NSObject {
  public init(
    identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
  ) {}
}
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
}
public final class UNUserNotificationCenter: NSObject {
  public weak var delegate: (any UNUserNotificationCenterDelegate)?
  public class func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }
  public func requestAuthorization(
    options: UNAuthorizationOptions = [],
    completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {}
  public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {}
}
END

stub XCTest <<'END'
@_exported public import Foundation

open class XCTestCase: NSObject {
  public var continueAfterFailure = true
}
open class XCUIElement: NSObject {
  public var exists: Bool { false }
  public var firstMatch: XCUIElement { self }
  public func tap() {}
  public func typeText(_ text: String) {}
  public func waitForExistence(timeout: Double) -> Bool { false }
  public var buttons: XCUIElementQuery { XCUIElementQuery() }
  public var textFields: XCUIElementQuery { XCUIElementQuery() }
  public func descendants(matching type: ElementType) -> XCUIElementQuery { XCUIElementQuery() }
  public enum ElementType: Sendable { case any }
}
open class XCUIElementQuery: NSObject {
  public var firstMatch: XCUIElement { XCUIElement() }
  public subscript(key: String) -> XCUIElement { XCUIElement() }
  public func matching(_ predicate: NSPredicate) -> XCUIElementQuery { self }
}
public final class XCUIApplication: XCUIElement {
  public var launchArguments: [String] = []
  public func launch() {}
}
public final class NSPredicate: NSObject {
  public init(format: String, _ arguments: Any...) {}
}
public func XCTAssertTrue(_ expression: @autoclosure () throws -> Bool, _ message: String = "") {}
END

# Of Foundation, what Apple's has and Linux's lacks.
cat >Foundation.swift <<'END'
import Foundation

extension ProcessInfo {
  func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {}
}
END

typecheck() {
  local target=$1
  shift
  nice swiftc -typecheck -wmo -swift-version 6 -parse-as-library -module-name "$target" \
    -package-name main -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility \
    -module-alias SwiftUI=LinuxSwiftUI -module-alias UIKit=LinuxUIKit \
    -module-alias Combine=LinuxCombine -I modules -I "$built/Modules" \
    "${maps[@]}" "$@" >"$target.log" 2>&1
}

failed=0
checked=0
# check FOLDER MODULE…
check() {
  local folder=$1 target=${1##*/} module found sources=()
  shift
  # Linux can import its own library, which Apple's systems lack.
  while read -r file; do
    mkdir -p "$target/$(dirname "$file")"
    sed -E -e 's/canImport\((Glibc|Musl)\)/false/' -e 's/DEBUG && /true \&\& /; s/#if DEBUG/#if true/' \
      -e 's/#Preview\(("[^"]*")\) \{/@MainActor @ViewBuilder func `preview \1`() -> some View {/' \
      -e '/func `preview/s/"//; /func `preview/s/"`/`/' "$root/$file" >"$target/$file"
    sources+=("$target/$file")
  done < <(cd "$root" && find "$folder" -name '*.swift')
  checked=$((checked + 1))
  if ! typecheck "$target" Foundation.swift "${sources[@]}"; then
    echo "apple-branches: $target does not compile for Apple's systems" >&2
    grep -E 'error:' "$target.log" | sort -u | head -n 20 >&2
    failed=1
  fi
  for module in "$@"; do
    printf '#if canImport(%s)\n  let sampleOf%s: Int = ""\n#endif\n' "$module" "$module"
  done >"$target/Sample.swift"
  typecheck "$target" Foundation.swift "${sources[@]}" "$target/Sample.swift"
  found=$(grep -cE 'Sample.swift:.* error: ' "$target.log")
  if [ "$found" -lt $# ]; then
    echo "apple-branches: of the samples of $target $found of $# were refused" >&2
    failed=1
  fi
}

while read -r folder; do
  # Imports within a condition; of these Linux has some.
  mapfile -t modules < <(grep -rhoE '^ +(internal |public )?import [A-Za-z]+' "$root/$folder" |
    awk '{ print $NF }' | grep -vxE 'CLibCrypto|CWireJSON|Dispatch|Glibc|Musl|UIKit|SwiftUI|Foundation|FeedConnections|PhoneStores' | sort -u)
  [ "${#modules[@]}" -eq 0 ] || check "$folder" "${modules[@]}"
done < <(cd "$root" && ls -d Sources/{Core,Market,Trading,Screens}/* Apps/{PhoneStores,PhoneApp,StocksApp})
check Apps/LivetapeUITests XCTest
[ "$failed" -eq 0 ] && echo "The branches of $checked targets compile, and their samples are refused"
exit "$failed"
