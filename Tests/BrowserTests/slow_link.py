"""A slow line between the browser and a local server: one rate for all connections, and a latency."""

import asyncio
import threading

PIECE = 1_448
# The line's capacity in flight; senders wait beyond it.
HELD = 16 * PIECE


class SlowLink:
    """Relays connections to a port: `bits` a second to the browser in all, `seconds` each way.

    A connection costs a round trip before its first byte, as over a real line.
    """

    def __init__(self, port, bits, seconds):
        self._to, self._rate, self._way = port, bits / 8, seconds
        self._free_at = 0.0
        self._turn = None
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    def stop(self):
        asyncio.run_coroutine_threadsafe(self._end(), self._loop)

    async def _end(self):
        self._server.close()
        running = asyncio.all_tasks() - {asyncio.current_task()}
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._loop.call_soon(self._loop.stop)

    def _run(self, ready):
        asyncio.set_event_loop(self._loop)
        self._turn = asyncio.Lock()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", 0, limit=HELD))
        self.port = self._server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()

    async def _accept(self, client_in, client_out):
        await asyncio.sleep(2 * self._way)
        try:
            server_in, server_out = await asyncio.open_connection("127.0.0.1", self._to, limit=HELD)
        except OSError:
            client_out.close()
            return
        await asyncio.gather(self._pass(client_in, server_out), self._pass(server_in, client_out, paced=True))

    async def _pass(self, source, target, paced=False):
        """Relays pieces of one connection in order, each after its time on the line; connections take turns."""
        on_way = asyncio.Queue(maxsize=HELD // PIECE)
        arriving = self._loop.create_task(self._arrive(on_way, target))
        try:
            while piece := await source.read(PIECE):
                at = self._loop.time()
                if paced:
                    async with self._turn:
                        self._free_at = max(self._free_at, self._loop.time()) + len(piece) / self._rate
                        at = self._free_at
                        await asyncio.sleep(max(0, at - self._loop.time()))
                await on_way.put((at + self._way, piece))
        except OSError:
            pass
        await on_way.put((0, b""))
        await arriving

    async def _arrive(self, on_way, target):
        try:
            while True:
                at, piece = await on_way.get()
                if not piece:
                    break
                await asyncio.sleep(max(0, at - self._loop.time()))
                target.write(piece)
                await target.drain()
        except OSError:
            pass
        finally:
            target.close()
            # A closed line does not block a sender.
            while not on_way.empty():
                on_way.get_nowait()
