import Foundation

/// The default folder for user data.
public enum DataFolder {
  /// The default folder of the platform.
  ///
  /// `$XDG_DATA_HOME/livetape` or `~/.local/share/livetape`; on macOS `~/Library/Application
  /// Support/Livetape`. A relative `XDG_DATA_HOME` is ignored, as its specification requires.
  public static func standard(environment: [String: String]) -> String {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    #if canImport(Darwin)
      return home + "/Library/Application Support/Livetape"
    #else
      if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/livetape" }
      return home + "/.local/share/livetape"
    #endif
  }
}
