"""Servers behind a bus with one ledger, and scripts that place orders through them while processes die."""

import json
import random
import subprocess
import threading
import time
import urllib.error
import urllib.request

from broker import Broker
from servers import Process, Server, Venues, program

API = "/api/v1"
MARKET = "kraken:BTC/USD"


def request(server, path, method="GET", body=None):
    """Status and body of an API response; 0 when the server is unreachable."""
    asked = urllib.request.Request(server.address + API + path, method=method)
    if body is not None:
        asked.data = json.dumps(body).encode()
        asked.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
    except OSError as error:
        return 0, {"detail": str(error)}


def ticket(name, **fields):
    """An order that rests, far below the best ask."""
    return {"clientId": name, "type": "limit", "side": "buy", "quantity": "1", "price": "40.00", **fields}


class Installation:
    """A broker, a reader, an order service, and servers of one ledger."""

    def __init__(self, folder, servers=2):
        self.folder = folder
        self.venues = Venues()
        self.broker = Broker(folder)
        self.flags = ["--bus", self.broker.address]
        self.reader = Process("read", *self.flags, "--venues", "live", *self.venues.urls("exchange", "kraken"))
        self.ledger = folder / "ledger"
        self.desk = self.keep()
        self.servers = [Server(*self.flags) for _ in range(servers)]

    def keep(self):
        """Starts an order service."""
        return Process("orders", *self.flags, "--data", self.ledger, "--fees", "kraken=0.10/0.20")

    def takes_orders(self, seconds=60):
        """Waits until every server accepts orders."""
        deadline = time.monotonic() + seconds
        while True:
            answers = [request(server, "/orders") for server in self.servers]
            if all(status == 200 and "ledger" in said and "failure" not in said for status, said in answers):
                return
            assert time.monotonic() < deadline, answers
            time.sleep(0.05)

    def repeated(self, server, order, seconds=60):
        """Resends an order until its outcome is certain, as a client must: status and body."""
        deadline = time.monotonic() + seconds
        while True:
            status, said = request(server, "/orders", "POST", order)
            if status not in (0, 429, 503, 504):
                return status, said
            assert time.monotonic() < deadline, said
            time.sleep(0.1)

    def verified(self):
        """The verified ledger on disk: the number of its events, and each order's number by its name."""
        checked = subprocess.run(
            [program(), "ledger", "verify", "--data", self.ledger], capture_output=True, text=True, timeout=60)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        lines = subprocess.run(
            [program(), "ledger", "export", "--data", self.ledger], capture_output=True, text=True, timeout=60,
            check=True).stdout.splitlines()
        events = [json.loads(line)["event"] for line in lines]
        orders = {}
        for event in events:
            if event.get("event") in ("accepted", "rejected"):
                assert event["client"] not in orders, f"{event['client']} was ordered twice"
                orders[event["client"]] = event["order"]
        return len(events) - 1, orders

    def stop(self):
        for process in [*self.servers, self.desk, self.reader]:
            process.kill()
        self.broker.kill()
        self.venues.kill()


class Script(threading.Thread):
    """Places orders one after the other, each until its outcome is certain."""

    def __init__(self, installation, name):
        super().__init__(daemon=True)
        self._installation, self._name = installation, name
        self._random = random.Random(name)
        self._is_over = threading.Event()
        self.taken, self.refused, self.doubts, self.problems = {}, set(), 0, []

    def run(self):
        number = 0
        while not self._is_over.is_set():
            number += 1
            try:
                self._order(f"{self._name}-{number}")
            except Exception as error:  # pylint: disable=broad-exception-caught
                self.problems.append(f"{self._name}-{number}: {error!r}")
                return

    def _order(self, name):
        is_doubtful = False
        order = ticket(name, **self._random.choice([{}, {"instrument": MARKET, "price": "1000.0"}]))
        while True:
            status, said = request(self._random.choice(self._installation.servers), "/orders", "POST", order)
            if status == 201:
                self.taken[name] = said["order"]["id"]
                # Limits the number of open orders; the outcome of the cancellation doesn't matter.
                request(self._random.choice(self._installation.servers), f"/orders/{self.taken[name]}", "DELETE")
                return
            if status == 503 and not is_doubtful:
                self.refused.add(name)
                self._is_over.wait(0.05)
                return
            # The outcome is unknown (504), or rejected now but perhaps accepted before (503): resend it.
            assert status in (0, 429, 503, 504), (status, said)
            is_doubtful = is_doubtful or status in (0, 504)
            self.doubts += status in (0, 504)
            self._is_over.wait(0.1)

    def end(self):
        self._is_over.set()


def storm(installation, kills, scripts=3, seed=1, say=None):
    """Repeatedly kills the broker while scripts place orders; responses must match the ledger on disk."""
    chance = random.Random(seed)
    workers = [Script(installation, f"s{seed}-{number}") for number in range(scripts)]
    for worker in workers:
        worker.start()
    for number in range(kills):
        time.sleep(chance.uniform(0.1, 0.9))
        installation.broker.kill()
        # Sometimes for longer than a lease.
        time.sleep(3.5 if number % 20 == 7 else chance.uniform(0, 0.5))
        installation.broker.start()
        if say:
            say(number + 1, workers)
    installation.takes_orders()
    for worker in workers:
        worker.end()
    for worker in workers:
        worker.join(timeout=90)
        assert not worker.is_alive(), f"{worker.name} knows nothing of its last order"
        assert not worker.problems, worker.problems
    _, orders = installation.verified()
    taken = {name: number for worker in workers for name, number in worker.taken.items()}
    refused = set().union(*(worker.refused for worker in workers))
    assert set(orders) == set(taken), (set(taken) - set(orders), set(orders) - set(taken))
    assert {name: str(number) for name, number in orders.items()} == taken
    assert not refused & set(orders), refused & set(orders)
    return {"kills": kills, "taken": len(taken), "refused": len(refused), "doubts": sum(worker.doubts for worker in workers)}
