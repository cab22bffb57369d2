"""Work for the tests of processes: it must be importable where it is done."""

import os
import signal
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    name: str
    number: int = 0


def job(task: Job) -> int:
    match task.name:
        case "fail":
            raise ValueError("no such luck")
        case "die":
            os._exit(7)
        case "hang":
            time.sleep(600)
        case "deaf":
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            time.sleep(600)
        case "more":
            return -task.number
    return task.number**2
