"""The limits of a process that works on texts of the page."""

import subprocess
import sys
from pathlib import Path

_HEAD = """
import ctypes, os, pathlib, shutil, socket, subprocess, sys, tempfile
from alphaz.ide.studio.confinement import confine, executing
inside, outside = sys.argv[1:]
limits = confine(inside)
os.chdir(inside)
def program(): pathlib.Path(inside, "p").write_text("#!/bin/sh\\nexit 0\\n"); os.chmod(os.path.join(inside, "p"), 0o755)
"""
FORBIDDEN = [
    "open(outside + '/new', 'w')", "open(outside + '/there').read()", "open('../outside/there').read()",
    "os.mkdir(outside + '/new')", "os.remove(outside + '/there')", "os.listdir(outside)",
    "os.rename(outside + '/there', 'x')", "open('x', 'w').close(); os.rename('x', outside + '/x')",
    "os.symlink(outside + '/there', 'x')", "shutil.rmtree(outside)", "os.chmod(outside + '/there', 0)",
    "os.open(outside + '/new', os.O_CREAT | os.O_WRONLY)", "open('/etc/passwd').read()",
    "socket.create_connection(('127.0.0.1', 9), 1)", "socket.socket().bind(('', 0))",
    "program(); subprocess.run(['./p'])", "program(); subprocess.run(['sh', '-c', 'true'], executable=inside + '/p')",
    "program(); os.system(inside + '/p')", "open('x.so', 'w').close(); ctypes.CDLL(inside + '/x.so')",
]  # fmt: skip
ALLOWED = [
    "open('x', 'w').write('y'); open('x').read(); os.remove('x')", "subprocess.run(['/bin/true'], check=True)",
    "tempfile.mkdtemp(); assert tempfile.gettempdir() == os.path.realpath(inside)", "import json, decimal, sqlite3",
    "open(os.devnull, 'w').write('x')", "open('/proc/self/stat').read()", "os.listdir('.')",
    "program()\nwith executing(limits, True): subprocess.run(['./p'], check=True)",
]  # fmt: skip


_TRIES = """
for code in FORBIDDEN:
    try:
        exec(code)
        raise SystemExit(f"not forbidden: {code}")
    except PermissionError:
        pass
for code in ALLOWED:
    exec(code)
"""


def test_what_is_forbidden_fails_and_what_is_allowed_works(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "there").write_text("secret")
    code = f"{_HEAD}\nFORBIDDEN, ALLOWED = {FORBIDDEN!r}, {ALLOWED!r}\n{_TRIES}"
    done = subprocess.run(
        [sys.executable, "-c", code, str(inside), str(outside)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in outside.iterdir()] == ["there"]
    assert (outside / "there").read_text() == "secret"
