public import Combine

#if canImport(Network)
  import Dispatch
  import Network
#endif

/// Changes of the device's network, such as from Wi-Fi to cellular.
@MainActor public enum NetworkPath {
  /// Calls when the network is usable again or is another; never for the first report.
  ///
  /// Does nothing where the system reports no paths.
  public static func observe(_ changed: @escaping @MainActor () -> Void) -> AnyCancellable {
    #if canImport(Network)
      let monitor = NWPathMonitor()
      let watch = PathWatch(changed)
      monitor.pathUpdateHandler = { path in
        let names = path.status == .satisfied ? path.availableInterfaces.map(\.name) : []
        MainActor.assumeIsolated { watch.report(names) }
      }
      monitor.start(queue: .main)
      return AnyCancellable { monitor.cancel() }
    #else
      return AnyCancellable {}
    #endif
  }
}

/// Compares the reports of a device's network.
@MainActor final class PathWatch {
  private var latest: [String]?
  private let changed: () -> Void

  init(_ changed: @escaping @MainActor () -> Void) { self.changed = changed }

  /// Reports the usable interfaces, the preferred one first; empty without a network.
  func report(_ interfaces: [String]) {
    defer { latest = interfaces }
    guard let latest, let preferred = interfaces.first, preferred != latest.first else { return }
    changed()
  }
}
