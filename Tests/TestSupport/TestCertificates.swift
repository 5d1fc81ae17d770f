import Foundation

/// Certificates that only tests trust, as PEM texts; `openssl` creates them at first use, valid for
/// two days.
public enum TestCertificates {
  /// The root that the TLS tests trust.
  public static let root = text("root.pem")
  /// For `localhost` and 127.0.0.1.
  public static let localhost = text("localhost.pem")
  /// The key of ``localhost``.
  public static let localhostKey = text("localhost.key")
  /// As ``localhost``, but valid until yesterday.
  public static let expired = text("expired.pem")
  /// The key of ``expired``.
  public static let expiredKey = text("expired.key")
  /// For `elsewhere.example`.
  public static let elsewhere = text("elsewhere.pem")
  /// The key of ``elsewhere``.
  public static let elsewhereKey = text("elsewhere.key")

  private static let files = Result { try make() }

  private static func text(_ name: String) -> String {
    do {
      guard let text = try files.get()[name] else { fatalError("openssl wrote no \(name)") }
      return text
    } catch {
      fatalError("no certificates for tests: \(error)")
    }
  }

  /// Every file that `openssl` wrote, by its name.
  private static func make() throws -> [String: String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    try openssl(
      "req -x509 \(key) -days 2 -subj /CN=Livetape-tests -keyout root.key -out root.pem", in: folder
    )
    for (name, names, days) in [
      ("localhost", "DNS:localhost,IP:127.0.0.1", 2), ("elsewhere", "DNS:elsewhere.example", 2),
      ("expired", "DNS:localhost,IP:127.0.0.1", -1),
    ] {
      try Data("subjectAltName=\(names)\n".utf8).write(to: folder.appending(path: "names"))
      try openssl("req -new \(key) -subj /CN=\(name) -keyout \(name).key -out request", in: folder)
      try openssl(
        "x509 -req -in request -CA root.pem -CAkey root.key -CAcreateserial -days \(days) "
          + "-extfile names -out \(name).pem", in: folder)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.filter { $0.hasSuffix(".pem") || $0.hasSuffix(".key") }.map {
        ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
      })
  }

  private static func openssl(_ arguments: String, in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { fatalError("openssl \(arguments) failed") }
  }
}
