import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findPython } from '../src/interpreters/python.ts';
import { installBootstraps } from '../src/runtime/process-launch.ts';

const python = await findPython('3.12');
if (!python) console.log('skipped: the bootstrap of Python, for this machine has no Python 3');
const NEXT =
  'HTTP/1.1 200 OK\r\nLambda-Runtime-Aws-Request-Id: one\r\nLambda-Runtime-Deadline-Ms: 9000000000000\r\nContent-Length: 2\r\n\r\n[]';

it.for([
  ['Node.js', process.execPath, 'bootstrap.cjs', 'app.js', 'exports.handler = async (event) => event;'],
  ['Python', python?.executable, 'bootstrap.py', 'app.py', 'def handler(event, context):\n    return event\n'],
] as const)(
  'a runtime of %s sends a response and its next request in one write',
  async ([, program, file, name, code], ctx) => {
    if (program === undefined) return ctx.skip();
    const home = mkdtempSync(join(tmpdir(), 'emu-test-'));
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    writeFileSync(join(home, name), code);
    const child = spawn(program, [join(await installBootstraps(home), file)], {
      stdio: 'ignore',
      env: {
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(server.address() as AddressInfo).port}`,
        LAMBDA_TASK_ROOT: home,
        _HANDLER: 'app.handler',
      },
    });
    const ended = once(child, 'exit');
    try {
      const [socket] = (await once(server, 'connection')) as [Socket];
      expect(String((await once(socket, 'data'))[0])).toMatch(/^GET \/2018-06-01\/runtime\/invocation\/next /);
      socket.write(NEXT);
      const piece = String((await once(socket, 'data'))[0]);
      expect(piece).toMatch(
        /^POST \S+\/invocation\/one\/response [\s\S]*\r\n\r\n\[\]GET \S+\/invocation\/next [\s\S]*\r\n\r\n$/,
      );
      socket.destroy();
    } finally {
      child.kill('SIGKILL');
      await ended;
      server.close();
      rmSync(home, { recursive: true });
    }
  },
);
