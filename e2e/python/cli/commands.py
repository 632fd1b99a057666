"""The AWS CLI, imported once for many commands: importing it takes longer than most commands.

Reads a JSON object per line from standard input: `id`, `args`, `env` (all variables), `cwd`, and `out`, a directory.
Each command runs in a fork of this process, with its outputs in `<out>/stdout` and `<out>/stderr`. When it has ended, a
line of JSON with `id` and `code`, its exit code, goes to standard output.
"""

import json
import os
import sys

import awscli.clidriver

# Path of the CLI's own models, which its import sets.
DATA_PATH = os.environ["AWS_DATA_PATH"]
# Imports the common modules of commands. The driver holds configuration, so each command creates its own.
awscli.clidriver.create_clidriver()


def run(request):
    """Becomes the command; does not return."""
    os.environ.clear()
    os.environ.update(request["env"], AWS_DATA_PATH=DATA_PATH)
    os.chdir(request["cwd"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(os.path.join(request["out"], name), os.O_WRONLY | os.O_CREAT, 0o600), number)
    sys.argv = ["aws", *request["args"]]
    sys.exit(awscli.clidriver.main())


def attend(request):
    """Runs a command in a process of its own and tells how it ended, also where a signal ends it."""
    command = os.fork()
    if command == 0:
        run(request)
    code = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
    # One small write, which concurrent writes cannot split.
    os.write(1, (json.dumps({"id": request["id"], "code": code}) + "\n").encode())
    os._exit(0)


waiting = set()
# Not the buffered sys.stdin, because forks would share its read-ahead buffer.
with os.fdopen(os.dup(0), "rb", buffering=0) as requests:
    while line := requests.readline():
        attendant = os.fork()
        if attendant == 0:
            attend(json.loads(line))
        waiting.add(attendant)
        waiting = {child for child in waiting if os.waitpid(child, os.WNOHANG)[0] == 0}
