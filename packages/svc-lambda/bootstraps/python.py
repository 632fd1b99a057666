"""Runs a function's handler in Python: the runtime side of the Lambda Runtime API, over a bare socket."""

import importlib
import json
import logging
import os
import re
import site
import socket
import sys
import time
import traceback

API = "/2018-06-01/runtime"
JSON_LOGS = os.environ.get("AWS_LAMBDA_LOG_FORMAT") == "JSON"
TASK_ROOT = os.environ["LAMBDA_TASK_ROOT"]


class Client:
    """The one connection to the Runtime API."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    @staticmethod
    def head(method, target, body=None, headers=()):
        lines = ["%s %s%s HTTP/1.1" % (method, API, target), "Host: lambda"]
        lines += ["%s: %s" % (name, clean(value)) for name, value in headers]
        if body is not None:
            lines.append("Content-Length: %d" % len(body))
        return "\r\n".join(lines + ["", ""]).encode("latin-1") + (body or b"")

    def receive(self):
        line = self.file.readline()
        if not line:
            # The emulator has exited, so the runtime exits, too.
            os._exit(1)
        answer = {}
        for line in iter(self.file.readline, b"\r\n"):
            name, _, value = line.decode("latin-1").partition(":")
            answer[name.lower()] = value.strip()
        return answer, self.file.read(int(answer.get("content-length", 0)))

    @classmethod
    def error(cls, target, error):
        headers = [("Content-Type", "application/json"), ("Lambda-Runtime-Function-Error-Type", error["errorType"])]
        return cls.head("POST", target, json.dumps(error).encode(), headers)

    def post(self, message):
        self.socket.sendall(message)
        self.receive()

    def next(self, end):
        """Sends the result of the last invocation and the request for the next in one write."""
        self.socket.sendall(end + self.head("GET", "/invocation/next"))
        if end:
            self.receive()
        return self.receive()


def clean(value):
    return "".join(c if " " <= c <= "~" else " " for c in str(value))


def shown_text(text):
    return text.replace('"%s/' % TASK_ROOT, '"/var/task/')


class FaultException(Exception):
    """An error of the runtime itself, with AWS's type."""

    def __init__(self, kind, message, trace=None):
        super().__init__(message)
        self.kind = kind
        self.trace = trace or []


def describe(exception, request_id):
    if isinstance(exception, FaultException):
        return {
            "errorMessage": str(exception),
            "errorType": exception.kind,
            "requestId": request_id,
            "stackTrace": exception.trace,
        }
    # Omits this file's own frames. Plain tuples omit the lines with carets.
    frames = [
        (shown_path(frame.filename), frame.lineno, frame.name, frame.line)
        for frame in traceback.extract_tb(exception.__traceback__)
        if frame.filename != __file__
    ]
    return {
        "errorMessage": str(exception),
        "errorType": type(exception).__name__,
        "requestId": request_id,
        "stackTrace": traceback.format_list(frames),
    }


def shown_path(path):
    """Returns the path of a package file on AWS, wherever the package is unpacked."""
    return "/var/task" + path[len(TASK_ROOT) :] if path.startswith(TASK_ROOT + "/") else path


def log_error(error):
    if JSON_LOGS:
        line = {"timestamp": timestamp(), "log_level": "ERROR", **error}
        write(json.dumps(line) + "\n")
        return
    lines = ["[ERROR]"]
    if error["errorType"]:
        lines[0] += " %s" % error["errorType"]
        if error["errorMessage"]:
            lines[0] += ": %s" % error["errorMessage"]
    if error["stackTrace"]:
        lines.append("Traceback (most recent call last):")
        # Log viewers remove plain blanks at the start of a line.
        for line in "\n".join(frame.rstrip("\n") for frame in error["stackTrace"]).split("\n"):
            text = line.lstrip(" ")
            lines.append("\u00a0" * (len(line) - len(text)) + text)
    write(joined("\n".join(lines)) + "\n")


def timestamp(now=None):
    now = time.time() if now is None else now
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + ".%03dZ" % (now % 1 * 1000)


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def joined(text):
    """Marks the newlines within one log event."""
    return text.replace("\n", "\0\r")


current_request_id = None


class Handler(logging.Handler):
    """Writes log records in the format of AWS's runtime."""

    def emit(self, record):
        try:
            text = self.format(record)
        except Exception:
            self.handleError(record)
            return
        write(joined(text) + "\n")


class Formatter(logging.Formatter):
    converter = time.gmtime

    def formatException(self, exc_info):
        return shown_text(super().formatException(exc_info))

    def format(self, record):
        if not JSON_LOGS:
            record.aws_request_id = current_request_id or ""
            return super().format(record)
        line = {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname,
            "message": record.getMessage(),
            "logger": record.name,
        }
        if current_request_id:
            line["requestId"] = current_request_id
        if record.exc_info:
            line["errorType"] = record.exc_info[0].__name__
            line["errorMessage"] = str(record.exc_info[1])
            line["stackTrace"] = [shown_text(entry) for entry in traceback.format_tb(record.exc_info[2])]
        return json.dumps(line)


class Identity:
    def __init__(self, values):
        self.cognito_identity_id = values.get("cognitoIdentityId")
        self.cognito_identity_pool_id = values.get("cognitoIdentityPoolId")


class ClientInformation:
    FIELDS = ("installation_id", "app_title", "app_version_name", "app_version_code", "app_package_name")

    def __init__(self, values):
        for field in self.FIELDS:
            setattr(self, field, values.get(field))


class ClientContext:
    def __init__(self, values):
        self.custom = values.get("custom")
        self.env = values.get("env")
        self.client = ClientInformation(values["client"]) if values.get("client") is not None else None


class LambdaContext:
    """The context of an invocation for its handler."""

    def __init__(self, headers):
        self.aws_request_id = headers["lambda-runtime-aws-request-id"]
        self.log_group_name = os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME")
        self.log_stream_name = os.environ.get("AWS_LAMBDA_LOG_STREAM_NAME")
        self.function_name = os.environ.get("AWS_LAMBDA_FUNCTION_NAME")
        self.memory_limit_in_mb = os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        self.function_version = os.environ.get("AWS_LAMBDA_FUNCTION_VERSION")
        self.invoked_function_arn = headers.get("lambda-runtime-invoked-function-arn")
        self.tenant_id = headers.get("lambda-runtime-aws-tenant-id")
        client = headers.get("lambda-runtime-client-context")
        self.client_context = ClientContext(json.loads(client)) if client else None
        identity = headers.get("lambda-runtime-cognito-identity")
        self.identity = Identity(json.loads(identity) if identity else {})
        self._deadline = int(headers.get("lambda-runtime-deadline-ms", 0))

    def get_remaining_time_in_millis(self):
        return max(0, self._deadline - int(time.time() * 1000))

    def log(self, message):
        write(str(message))

    def __repr__(self):
        return "LambdaContext([aws_request_id=%s,function_name=%s])" % (self.aws_request_id, self.function_name)


def load_handler(full):
    try:
        module_name, function_name = full.rsplit(".", 1)
    except ValueError as error:
        raise FaultException("Runtime.MalformedHandlerName", "Bad handler '%s': %s" % (full, error))
    try:
        if module_name.split(".")[0] in sys.builtin_module_names:
            raise FaultException(
                "Runtime.BuiltInModuleConflict", "Cannot use built-in module %s as a handler module" % module_name
            )
        module = importlib.import_module(module_name.replace("/", "."))
    except ImportError as error:
        raise FaultException("Runtime.ImportModuleError", "Unable to import module '%s': %s" % (module_name, error))
    except SyntaxError as error:
        trace = ['  File "%s" Line %s\n    %s' % (shown_path(error.filename or ""), error.lineno, error.text)]
        message = "Syntax error in module '%s': %s" % (module_name, error)
        raise FaultException("Runtime.UserCodeSyntaxError", message, trace)
    try:
        return getattr(module, function_name)
    except AttributeError:
        message = "Handler '%s' missing on module '%s'" % (function_name, module_name)
        raise FaultException("Runtime.HandlerNotFound", message)


class Encoder(json.JSONEncoder):
    """Serializes decimals as numbers with all of their digits."""

    def __init__(self):
        super().__init__(ensure_ascii=False)
        self.mark = os.urandom(16).hex()
        self.numbers = []

    def default(self, value):
        # A decimal can only exist if its module is imported.
        decimal = sys.modules.get("decimal")
        if decimal is None or not isinstance(value, decimal.Decimal):
            return super().default(value)
        if value.is_nan():
            return float("nan")
        self.numbers.append(str(value))
        return "%s:%d" % (self.mark, len(self.numbers) - 1)

    def text_of(self, value):
        text = self.encode(value)
        if not self.numbers:
            return text
        return re.sub('"%s:([0-9]+)"' % self.mark, lambda match: self.numbers[int(match[1])], text)


def invoke(handler, body, headers):
    try:
        event = json.loads(body)
    except ValueError as error:
        raise FaultException("Runtime.UnmarshalError", "Unable to unmarshal input: %s" % error)
    result = handler(event, LambdaContext(headers))
    try:
        return Encoder().text_of(result).encode()
    except (TypeError, ValueError) as error:
        raise FaultException("Runtime.MarshalError", "Unable to marshal response: %s" % error)


def add_places():
    """Puts the package first, the installed SDK after layers and this machine's last, and applies .pth files."""
    sys.path.insert(0, TASK_ROOT)
    site.addsitedir(TASK_ROOT)
    first, *layers = os.environ.get("PYTHONPATH", "").split(":")
    # Layers are in the search path unless the function sets its own path.
    if first == os.environ.get("LAMBDA_RUNTIME_DIR"):
        for directory in layers:
            site.addsitedir(directory)
    runtime = os.path.dirname(os.path.abspath(__file__))
    # Newer versions of boto3 need Python 3.10.
    installed = os.path.join(runtime, "python" if sys.version_info >= (3, 10) else "python3.8")
    if os.path.isdir(installed):
        library = os.path.dirname(os.__file__)
        sys.path.insert(sys.path.index(library) if library in sys.path else len(sys.path), installed)
    version = re.search(r"python3\.(\d+)$", os.environ.get("AWS_EXECUTION_ENV", ""))
    if version and int(version[1]) >= 12:
        sys.path.append(os.path.join(runtime, "hooks"))
    sdk = os.path.join(os.path.dirname(runtime), "python-sdk")
    if os.path.isdir(sdk):
        sys.path.append(sdk)


def hooks_of(moment):
    """Returns the hooks that the function registered for a moment, with their arguments."""
    # Functions without hooks do not import the module.
    module = sys.modules.get("snapshot_restore_py")
    return getattr(module, "get_" + moment)() if module else []


def wait_for_restore(client):
    """Runs the hooks before the snapshot, waits for the restore, and runs the hooks after it."""
    try:
        for hook, args, kwargs in reversed(hooks_of("before_snapshot")):
            hook(*args, **kwargs)
    except Exception as exception:
        fail(client, "/init/error", exception, 64)
    client.post(client.head("GET", "/restore/next"))
    try:
        for hook, args, kwargs in hooks_of("after_restore"):
            hook(*args, **kwargs)
    except Exception as exception:
        fail(client, "/restore/error", exception, 65)


def fail(client, target, exception, code):
    """Reports an error outside of invocations and exits."""
    error = describe(exception, "")
    log_error(error)
    client.post(client.error(target, error))
    sys.exit(code)


def main():
    global current_request_id
    # A single pipe keeps the lines of both outputs in order.
    os.dup2(1, 2)
    client = Client(os.environ["AWS_LAMBDA_RUNTIME_API"])
    root = logging.getLogger()
    output = Handler()
    pattern = "[%(levelname)s]\t%(asctime)s.%(msecs)03dZ\t%(aws_request_id)s\t%(message)s"
    output.setFormatter(Formatter(pattern, "%Y-%m-%dT%H:%M:%S"))
    root.addHandler(output)
    if JSON_LOGS:
        level = os.environ.get("AWS_LAMBDA_LOG_LEVEL", "INFO")
        root.setLevel({"TRACE": "DEBUG", "FATAL": "CRITICAL"}.get(level, level))
    add_places()
    try:
        handler = load_handler(os.environ["_HANDLER"])
    except Exception as exception:
        fail(client, "/init/error", exception, 1)
    if os.environ.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "snap-start":
        wait_for_restore(client)
    end = b""
    while True:
        headers, body = client.next(end)
        current_request_id = headers["lambda-runtime-aws-request-id"]
        trace_id = headers.get("lambda-runtime-trace-id")
        if trace_id:
            os.environ["_X_AMZN_TRACE_ID"] = trace_id
        else:
            os.environ.pop("_X_AMZN_TRACE_ID", None)
        target = "/invocation/%s" % current_request_id
        try:
            result = invoke(handler, body, headers)
        except Exception as exception:
            error = describe(exception, current_request_id)
            log_error(error)
            end = client.error(target + "/error", error)
        else:
            sys.stdout.flush()
            end = client.head("POST", target + "/response", result, [("Content-Type", "application/json")])


# The handler's module may import this file by name, in which case it must not run twice.
if __name__ == "__main__":
    if "_EMULATOR_AWS_NAMES" in os.environ:
        import emu_names  # noqa: F401

    # Functions must not import from this file's folder.
    sys.path.pop(0)
    main()
