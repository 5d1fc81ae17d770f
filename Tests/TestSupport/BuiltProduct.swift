// Executables of this build, which tests start as processes.

public import Foundation

/// An executable of this build, beside the test bundle wherever that lies.
///
/// On Linux the bundle is the running program; on macOS it is an argument of Xcode's or SwiftPM's
/// helper, and the program lies deep inside it.
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
      // A folder counts as executable, too: the clone itself may be called like the product.
      if FileManager.default.fileExists(atPath: found.path, isDirectory: &isFolder),
        !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: found.path)
      {
        return found
      }
    }
  }
  throw ProductNotFound(name: name, places: bundles)
}

/// An executable that this build has not made.
public struct ProductNotFound: Error {
  let name: String
  let places: [String]
}
