"""The part of Powertools that the service uses, for machines without access to PyPI."""

import functools
import json
import os


class Logger:
    def __init__(self):
        self.keys = {"service": os.environ["POWERTOOLS_SERVICE_NAME"]}

    def info(self, message, **keys):
        print(json.dumps({"level": "INFO", "message": message, **self.keys, **keys}))

    def inject_lambda_context(self, handler):
        @functools.wraps(handler)
        def run(event, context):
            self.keys["function_request_id"] = context.aws_request_id
            return handler(event, context)

        return run
