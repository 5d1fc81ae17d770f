public import Foundation

/// The URL of an executable of this build, next to the test bundle.
///
/// On Linux the bundle is the running program; on macOS it is an argument of Xcode's or SwiftPM's
/// helper, and the program is deep inside it.
public func builtProduct(_ name: String) throws -> URL {
  let bundles =
    CommandLine.arguments.filter { $0.contains(".xctest") } + [CommandLine.arguments[0]]
    + Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
  for bundle in bundles {
    var folder = URL(fileURLWithPath: bundle).resolvingSymlinksInPath()
    for _ in 0..<6 {
      folder.deleteLastPathComponent()
      let found = folder.appending(path: name)
      var isFolder: ObjCBool = false
      // A folder counts as executable, too: the clone itself may have the product's name.
      if FileManager.default.fileExists(atPath: found.path, isDirectory: &isFolder),
        !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: found.path)
      {
        return found
      }
    }
  }
  throw ProductNotFound(name: name, places: bundles)
}

/// The executable was not built.
public struct ProductNotFound: Error {
  let name: String
  let places: [String]
}
