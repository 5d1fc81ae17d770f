import NIOHTTP1
import SocketServer

/// The self-contained page that requests the access token and exchanges it for a cookie.
enum SignInPage {
  /// The page with a random nonce: no other script or style can run in it.
  static var response: PlainResponse {
    var random = SystemRandomNumberGenerator()
    let nonce = String(random.next(), radix: 16) + String(random.next(), radix: 16)
    return PlainResponse(
      status: .unauthorized,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "WWW-Authenticate": "Bearer",
        "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy":
          "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "
          + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      ],
      text: html(nonce))
  }

  private static func html(_ nonce: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Livetape · Access token</title>
    <style nonce="\(nonce)">
    body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1rem;
      box-sizing: border-box; font: 1rem/1.5 system-ui, sans-serif; }
    form { display: grid; gap: 0.75rem; width: min(20rem, calc(100vw - 2rem)); }
    h1 { margin: 0; font-size: 1.25rem; }
    p { margin: 0; }
    input, button { font: inherit; min-height: 2.75rem; padding-inline: 0.75rem;
      box-sizing: border-box; width: 100%; border-radius: 0.5rem; border: 1px solid GrayText; }
    button { background: #1f5fd0; color: #fff; border-color: transparent; }
    #said { min-height: 1.5em; }
    </style>
    <main>
    <form>
    <h1>Livetape</h1>
    <p id="why">This server needs its access token.</p>
    <label for="token">Access token</label>
    <input id="token" type="password" required autocomplete="current-password"
      aria-describedby="why said" autofocus>
    <button>Open</button>
    <p id="said" role="alert"></p>
    </form>
    </main>
    <script nonce="\(nonce)">
    const [form, said] = [document.querySelector("form"), document.querySelector("#said")];
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      said.textContent = "";
      const token = document.querySelector("#token").value.trim();
      try {
        const headers = { Authorization: `Bearer ${token}` };
        const { ok, status } = await fetch("\(PageToken.signInPath)", { headers });
        if (ok) {
          try {
            // The page's sockets need tickets: socket-token.js.
            localStorage.setItem("livetape.ticket", "needed");
          } catch {}
          location.reload();
        } else {
          said.textContent = status === 429
            ? "Too many wrong tokens were sent. Try again in a few seconds."
            : "That is not this server's token.";
        }
      } catch {
        said.textContent = "The token could not be sent.";
      }
    });
    </script>

    """
  }
}
