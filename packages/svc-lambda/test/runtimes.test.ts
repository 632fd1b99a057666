import { execFileSync } from 'node:child_process';
import { createLogger } from '@emu/core';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';
import { arn } from './support.ts';

let test: RunningTest;
/** Lines of emu's log. */
const logged: string[] = [];
beforeAll(async () => {
  test = await startRunning({
    log: createLogger({ level: 'warn', format: 'text', write: (line) => logged.push(line) }),
  });
});
afterAll(() => test[Symbol.asyncDispose]());

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const python = has('python3');
const curl = has('curl');
if (!curl) console.log('skipped: a custom runtime that needs curl, which is not on PATH');
if (!python) console.log('skipped: handlers in Python, for there is no python3 on PATH');
const PYTHON = { Runtime: 'python3.12', Handler: 'app.handler' } as const;

describe.skipIf(!python)('handlers in Python', () => {
  it('receive event and context, and return JSON', async () => {
    const name = await test.define(
      {
        'app.py': `
import os
count = 0
def handler(event, context):
    global count
    count += 1
    return {"event": event, "count": count, "id": context.aws_request_id, "name": context.function_name,
            "arn": context.invoked_function_arn, "memory": context.memory_limit_in_mb, "version": context.function_version,
            "remaining": context.get_remaining_time_in_millis() > 0, "custom": context.client_context.custom,
            "group": context.log_group_name, "task": os.getcwd() == os.environ["LAMBDA_TASK_ROOT"], "text": "ünï"}
`,
      },
      PYTHON,
    );
    const ClientContext = Buffer.from('{"custom":{"a":"b"}}').toString('base64');
    await test.invoke(name, {}, { ClientContext });
    const { payload, $metadata } = await test.invoke(name, { a: [1, 'é'] }, { ClientContext });
    expect(payload).toEqual({
      event: { a: [1, 'é'] },
      count: 2,
      id: $metadata.requestId,
      name,
      arn: arn(`function:${name}`),
      memory: '128',
      version: '$LATEST',
      remaining: true,
      custom: { a: 'b' },
      group: `/aws/lambda/${name}`,
      task: true,
      text: 'ünï',
    });
  });

  it("log in AWS's format", async () => {
    const name = await test.define(
      {
        'app.py': `
import logging
logger = logging.getLogger()
logger.setLevel(logging.INFO)
def handler(event, context):
    print("multi\\nline")
    logger.info("hello %s", "there")
    logger.debug("hidden")
`,
      },
      PYTHON,
    );
    const { log, $metadata } = await test.invoke(name);
    expect(log).toMatch(
      new RegExp(
        `^START RequestId: \\S+ Version: \\$LATEST\\nmulti\\nline\\n\\[INFO\\]\\t[\\d-]+T[\\d:.]+Z\\t${$metadata.requestId}\\thello there\\nEND `,
      ),
    );
  });

  it('keep the order of stdout and stderr', async () => {
    const code = `import sys\ndef handler(event, context):
    for number in range(3):
        print('out', number)
        print('err', number, file=sys.stderr)
    print('carriage\\rreturn')\n`;
    const { log } = await test.invoke(await test.define({ 'app.py': code }, PYTHON));
    expect(log).toContain('out 0\nerr 0\nout 1\nerr 1\nout 2\nerr 2\ncarriage\rreturn\n');
  });

  it("fail with AWS's errors", async () => {
    const name = await test.define(
      {
        'app.py':
          'def handler(event, context):\n    raise ValueError("no good")\n\ndef unserializable(event, context):\n    return {1, 2}\n',
      },
      PYTHON,
    );
    const { payload, log, $metadata, FunctionError } = await test.invoke(name);
    expect(FunctionError).toBe('Unhandled');
    expect(payload).toEqual({
      errorMessage: 'no good',
      errorType: 'ValueError',
      requestId: $metadata.requestId,
      stackTrace: ['  File "/var/task/app.py", line 2, in handler\n    raise ValueError("no good")\n'],
    });
    expect(log).toContain('[ERROR] ValueError: no good\nTraceback (most recent call last):\n\u00a0\u00a0File ');
    const handlerOf = async (Handler: string) => {
      await test.lambda.updateFunctionConfiguration({ FunctionName: name, Handler });
      return (await test.invoke(name)).payload;
    };
    expect(await handlerOf('app.unserializable')).toMatchObject({
      errorType: 'Runtime.MarshalError',
      errorMessage: 'Unable to marshal response: Object of type set is not JSON serializable',
    });
    expect(await handlerOf('app.missing')).toEqual({
      errorMessage: "Handler 'missing' missing on module 'app'",
      errorType: 'Runtime.HandlerNotFound',
      requestId: '',
      stackTrace: [],
    });
    expect(await handlerOf('gone.handler')).toEqual({
      errorMessage: "Unable to import module 'gone': No module named 'gone'",
      errorType: 'Runtime.ImportModuleError',
      requestId: '',
      stackTrace: [],
    });
    expect(await handlerOf('nodot')).toMatchObject({ errorType: 'Runtime.MalformedHandlerName' });
  });

  it('return decimals as exact numbers', async () => {
    const name = await test.define(
      {
        'app.py': `
from decimal import Decimal
def handler(event, context):
    return {"price": Decimal("12.30"), "large": [Decimal("123456789012345678901234567890")], "text": "1.5"}
def odd(event, context):
    return [str(handler), Decimal("1"), object()]
`,
      },
      PYTHON,
    );
    const { Payload } = await test.lambda.invoke({ FunctionName: name });
    expect(Payload!.transformToString()).toBe(
      '{"price": 12.30, "large": [123456789012345678901234567890], "text": "1.5"}',
    );
    await test.lambda.updateFunctionConfiguration({ FunctionName: name, Handler: 'app.odd' });
    expect((await test.invoke(name)).payload).toMatchObject({
      errorMessage: 'Unable to marshal response: Object of type object is not JSON serializable',
    });
  });

  it('find packages named by .pth files of the package', async () => {
    const name = await test.define(
      {
        'app.py': 'from hidden import VALUE\ndef handler(event, context):\n    return VALUE\n',
        'more.pth': 'vendor/deep\n',
        'vendor/deep/hidden.py': 'VALUE = "found"\n',
      },
      PYTHON,
    );
    expect((await test.invoke(name)).payload).toBe('found');
  });

  it("have stack traces with AWS's paths and without carets", async () => {
    const code = `import logging
def handler(event, context):
    try:
        return {}["a"]["b"] + 1
    except KeyError:
        logging.exception("logged")
        raise
`;
    const { payload, log } = await test.invoke(await test.define({ 'app.py': code }, PYTHON));
    expect(payload).toMatchObject({
      errorType: 'KeyError',
      stackTrace: ['  File "/var/task/app.py", line 4, in handler\n    return {}["a"]["b"] + 1\n'],
    });
    expect(log).toContain('File "/var/task/app.py", line 4, in handler');
    expect(log).toMatch(/\[ERROR\] KeyError: 'a'\n[^^]*$/);
  });

  it('end as on AWS when they exit, or fail to load', async () => {
    const exits = await test.define(
      { 'app.py': 'import sys\ndef handler(event, context):\n    sys.exit(0)\n' },
      PYTHON,
    );
    expect((await test.invoke(exits)).payload).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Runtime exited without providing a reason$/),
    });
    const broken = await test.define({ 'app.py': 'raise Exception("Runtime startup fails")\n' }, PYTHON);
    expect((await test.invoke(broken)).payload).toMatchObject({
      errorMessage: 'Runtime startup fails',
      errorType: 'Exception',
      requestId: '',
    });
    const syntax = await test.define({ 'app.py': 'def handler(:\n' }, PYTHON);
    expect((await test.invoke(syntax)).payload).toMatchObject({ errorType: 'Runtime.UserCodeSyntaxError' });
  });

  it("call the emulator with their role's credentials", async () => {
    const name = await test.define(
      {
        'app.py': `
import json, os, urllib.request
def handler(event, context):
    scope = "%s/20260101/%s/lambda/aws4_request" % (os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_REGION"])
    request = urllib.request.Request(os.environ["AWS_ENDPOINT_URL"] + "/2015-03-31/functions/" + context.function_name + "/configuration",
        headers={"authorization": "AWS4-HMAC-SHA256 Credential=%s, SignedHeaders=host, Signature=0" % scope})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["FunctionArn"]
`,
      },
      PYTHON,
    );
    expect((await test.invoke(name)).payload).toBe(arn(`function:${name}`));
  });
});

const BOOTSTRAP = `#!/bin/sh
api="http://$AWS_LAMBDA_RUNTIME_API/2018-06-01/runtime"
echo "custom runtime in $LAMBDA_TASK_ROOT handles $_HANDLER"
while true; do
  headers=$(mktemp)
  event=$(curl -sS -D "$headers" "$api/invocation/next")
  id=$(tr -d '\\r' < "$headers" | sed -n 's/^[Ll]ambda-[Rr]untime-[Aa]ws-[Rr]equest-[Ii]d: //p')
  case $event in
    *fail*) curl -sS -X POST -H 'Lambda-Runtime-Function-Error-Type: Custom.Failure' -d '{"errorMessage":"as asked"}' "$api/invocation/$id/error" ;;
    *wrong*) curl -sS -X POST -d '{}' "$api/invocation/other/response" >&2
             curl -sS -X POST -d '"still fine"' "$api/invocation/$id/response" ;;
    *variables*) curl -sS -X POST -d "\\"${'${'}AWS_EXECUTION_ENV-none} ${'${'}NODE_PATH-none} ${'${'}PYTHONPATH-none}\\"" "$api/invocation/$id/response" ;;
    *) echo "event $event" >&2; curl -sS -X POST -d "[$event]" "$api/invocation/$id/response" ;;
  esac
done
`;
const CUSTOM = { Runtime: 'provided.al2023', Handler: 'what.ever' } as const;
const executable = (content: string) => ({ content, mode: 0o100755 });

describe('custom runtimes', () => {
  it.skipIf(!curl)('are executables that use the Runtime API', async () => {
    const name = await test.define({ bootstrap: executable(BOOTSTRAP) }, CUSTOM);
    const { payload, log } = await test.invoke(name, { a: 1 });
    expect(payload).toEqual([{ a: 1 }]);
    expect(log).toContain('event {"a":1}\n');
    // They get none of the language runtimes' variables, as recorded from AWS.
    expect((await test.invoke(name, 'variables')).payload).toBe('none none none');
    expect(await test.invoke(name, 'fail')).toMatchObject({
      FunctionError: 'Unhandled',
      payload: { errorMessage: 'as asked' },
    });
    const wrong = await test.invoke(name, 'wrong');
    expect(wrong.payload).toBe('still fine');
    expect(wrong.log).toContain('{"errorMessage":"Invalid request ID","errorType":"InvalidRequestID"}');
  });

  it('fail without a program, or with one that exits', async () => {
    const none = await test.define({ 'other.txt': 'x' }, CUSTOM);
    expect((await test.invoke(none)).payload).toMatchObject({
      errorType: 'Runtime.InvalidEntrypoint',
      errorMessage: expect.stringContaining("Couldn't find valid bootstrap(s): [/var/task/bootstrap /opt/bootstrap]"),
    });
    const ends = await test.define({ bootstrap: executable('#!/bin/sh\necho bye\nexit 127\n') }, CUSTOM);
    const { payload, log } = await test.invoke(ends);
    expect(payload).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Runtime exited with error: exit status 127$/),
    });
    expect(log).toContain('bye\n');
  });

  it('are rejected if no local interpreter runs them', async () => {
    const name = await test.define({ 'app.jar': 'x' }, { Runtime: 'java21', Handler: 'App' });
    const message = new RegExp(
      `^emu cannot run ${name} \\(java21\\): (no Java was found; install Java 21|install AWS's runtime interface client: .*)\\.$`,
    );
    // Without a Maven repository.
    vi.stubEnv('HOME', '/missing');
    for (let count = 0; count < 2; count++)
      await expect(test.invoke(name)).rejects.toMatchObject({
        name: 'InvalidRuntimeException',
        message: expect.stringMatching(message),
      });
    vi.unstubAllEnvs();
    expect(logged.filter((line) => line.includes(`emu cannot run ${name} `))).toHaveLength(1);
  });

  it('are wrapped by AWS_LAMBDA_EXEC_WRAPPER', async () => {
    const name = await test.define(
      {
        'index.js': 'exports.handler = async () => process.env.WRAPPED;',
        wrapper: executable('#!/bin/sh\nexport WRAPPED=yes\nexec "$@"\n'),
      },
      { Environment: { Variables: { AWS_LAMBDA_EXEC_WRAPPER: '/var/task/wrapper' } } },
    );
    expect((await test.invoke(name)).payload).toBe('yes');
  });
});

describe('layers', () => {
  it('contain modules, programs and extensions; later layers take precedence', async () => {
    const publish = async (LayerName: string, files: Parameters<typeof zipOf>[0]) => {
      const layer = await test.lambda.publishLayerVersion({ LayerName, Content: { ZipFile: zipOf(files) } });
      return layer.LayerVersionArn!;
    };
    const first = await publish('first', {
      'nodejs/node_modules/shared/index.js': 'module.exports = "first";',
      'nodejs/node_modules/only/index.js': 'module.exports = "only";',
      'bin/tool': executable('#!/bin/sh\necho tool\n'),
    });
    const second = await publish('second', { 'nodejs/node_modules/shared/index.js': 'module.exports = "second";' });
    const name = await test.define(
      {
        'index.js': `exports.handler = async () => [require('shared'), require('only'),
          require('node:child_process').execFileSync('tool').toString()];`,
      },
      { Layers: [first, second] },
    );
    expect((await test.invoke(name)).payload).toEqual(['second', 'only', 'tool\n']);
  });

  it('provide packages to ES modules too', async () => {
    const layer = await test.lambda.publishLayerVersion({
      LayerName: 'modules',
      Content: {
        ZipFile: zipOf({
          'nodejs/node_modules/plain/index.js': 'module.exports = "plain";',
          'nodejs/node_modules/both/index.js': 'module.exports = "any version";',
          'nodejs/node20/node_modules/both/index.js': 'module.exports = "version 20";',
          'nodejs/node_modules/own/index.js': 'module.exports = "the layer\'s";',
        }),
      },
    });
    const code = `import plain from 'plain'; import both from 'both'; import own from 'own';
      export const handler = async () => [plain, both, own, (await import('plain')).default];`;
    const files = { 'index.mjs': code, 'node_modules/own/index.js': 'module.exports = "its own";' };
    const name = await test.define(files, { Layers: [layer.LayerVersionArn!], Runtime: 'nodejs20.x' });
    expect((await test.invoke(name)).payload).toEqual(['plain', 'version 20', 'its own', 'plain']);
    const without = await test.invoke(await test.define(files, { Runtime: 'nodejs20.x' }));
    expect(without.payload).toMatchObject({ errorType: 'Runtime.ImportModuleError' });
  });

  it('run external extensions, which receive invocations and read the log', async () => {
    const extension = `#!${process.execPath}
const http = require('node:http');
const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');
const call = (method, path, headers, body) => new Promise((resolve, reject) => {
  const request = http.request({ host, port, method, path, headers }, (response) => {
    let text = '';
    response.on('data', (chunk) => { text += chunk; }).on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
  });
  request.on('error', reject).end(body);
});
let hear;
const heard = new Promise((resolve) => {
  hear = (record) => { console.log('heard ' + record); resolve(); };
});
(async () => {
  const registered = await call('POST', '/2020-01-01/extension/register', { 'Lambda-Extension-Name': 'watcher' }, '{"events":["INVOKE","SHUTDOWN"]}');
  const id = { 'Lambda-Extension-Identifier': registered.headers['lambda-extension-identifier'] };
  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => { text += chunk; }).on('end', () => {
      for (const { type, record } of JSON.parse(text)) if (type === 'function') hear(record);
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const subscribed = await call('PUT', '/2022-07-01/telemetry', id, JSON.stringify({
    schemaVersion: '2022-12-13', types: ['platform', 'function'], buffering: { timeoutMs: 25 },
    destination: { protocol: 'HTTP', URI: 'http://sandbox.localdomain:' + server.address().port },
  }));
  console.log('registered ' + registered.text + ' ' + subscribed.text);
  for (;;) {
    const { text } = await call('GET', '/2020-01-01/extension/event/next', id);
    const event = JSON.parse(text);
    console.log('event ' + event.eventType + ' ' + event.requestId);
    if (event.eventType === 'SHUTDOWN') process.exit(0);
    await heard;
  }
})();
`;
    const layer = await test.lambda.publishLayerVersion({
      LayerName: 'extension',
      Content: { ZipFile: zipOf({ 'extensions/watcher': executable(extension) }) },
    });
    const name = await test.define(
      { 'index.js': 'exports.handler = async () => { console.log("from the function"); };' },
      { Layers: [layer.LayerVersionArn!], MemorySize: 512 },
    );
    const { log, $metadata } = await test.invoke(name);
    expect(log).toContain(`event INVOKE ${$metadata.requestId}\n`);
    expect(log).toMatch(/heard .*from the function\n/);
  });
});
