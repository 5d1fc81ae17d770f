import Foundation
public import SocketTransport

extension ServerTLS {
  /// A certificate for `localhost` and 127.0.0.1, issued by ``TestCertificates/root``.
  public static func ofTests() throws -> ServerTLS {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = (certificate: folder.appending(path: "c"), key: folder.appending(path: "k"))
    try Data(TestCertificates.localhost.utf8).write(to: files.certificate)
    try Data(TestCertificates.localhostKey.utf8).write(to: files.key)
    return try ServerTLS(certificateFile: files.certificate.path, keyFile: files.key.path)
  }
}
