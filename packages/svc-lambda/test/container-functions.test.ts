import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ContainerRuntime } from '@emu/core/service';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fakeEngine } from '../../containers/test/support/fake-engine.ts';
import { NODE_BOOTSTRAP } from '../src/generated/bootstraps.ts';
import { runtimeImage } from '../src/runtime/runtime-images.ts';
import { type RunningTest, startRunning } from './running.ts';

/** Image with a shell and node, built by `tools/container-host.sh`. */
const NODE = 'localhost/emu-test/node:latest';
const AWS_LIKE = 'localhost/emu-test/aws-like:latest';
const OWN = 'localhost/emu-test/own:latest';
const CUSTOM = { Runtime: 'provided.al2023', Handler: 'index.handler', Timeout: 20, MemorySize: 512 } as const;
const executable = (content: string) => ({ content, mode: 0o755 });
const BOOTSTRAP = executable('#!/bin/sh\nexec node /var/task/ric.cjs\n');

const values = {
  EMULATOR_LAMBDA_BACKEND: 'docker' as const,
  EMULATOR_LAMBDA_RUNTIME_IMAGES: {
    'provided.al2023': NODE,
    'nodejs22.x': AWS_LIKE,
    java21: 'localhost/emu-test/none:1',
  },
};

/** Reason why containers cannot run; undefined if they can. */
async function noEngine(): Promise<string | undefined> {
  await using test = await startRunning({ settings: { values } });
  try {
    const { images } = await test.emulator.kernel.containers.of('lambda');
    if ((await images!.find(NODE)) === undefined) throw new Error(`there is no image ${NODE}`);
    return undefined;
  } catch (error) {
    return (error as Error).message.split('\n')[0];
  }
}

const reason = await noEngine();
if (reason) console.log(`functions in containers are not tested: ${reason} (tools/container-host.sh makes an engine)`);

describe('images of runtimes', () => {
  it.each([
    ['nodejs22.x', 'nodejs:22'],
    ['python3.13', 'python:3.13'],
    ['java8.al2', 'java:8.al2'],
    ['java21', 'java:21'],
    ['dotnet8', 'dotnet:8'],
    ['ruby3.4', 'ruby:3.4'],
    ['provided.al2', 'provided:al2'],
    ['provided.al2023', 'provided:al2023'],
    ['provided', 'provided:latest'],
  ] as const)("uses AWS's image: %s", (runtime, name) => {
    expect(runtimeImage(runtime)).toEqual({ image: `public.ecr.aws/lambda/${name}`, platform: 'linux/amd64' });
  });

  it('follows the architecture and the setting', () => {
    expect(runtimeImage('nodejs22.x', 'arm64').platform).toBe('linux/arm64');
    expect(runtimeImage('nodejs22.x', 'arm64', { 'nodejs22.x': 'mine' })).toEqual({ image: 'mine' });
  });
});

describe('functions without the configured engine', () => {
  it('are rejected with the reason', async () => {
    vi.stubEnv('DOCKER_HOST', 'unix:///no/such.sock');
    await using test = await startRunning({ settings: { values } });
    const name = await test.define({ bootstrap: BOOTSTRAP }, CUSTOM);
    await expect(test.invoke(name)).rejects.toMatchObject({
      name: 'InvalidRuntimeException',
      message: expect.stringMatching(
        /^emu cannot run \S+ \(provided\.al2023\): no container engine responds: DOCKER_HOST: connect ENOENT/,
      ),
    });
    vi.unstubAllEnvs();
  });
});

describe('functions whose engine stops', () => {
  const CODE = { 'index.mjs': 'export const handler = async (event) => event;' };
  const NODE_FUNCTION = { Runtime: 'nodejs22.x', Handler: 'index.handler', Timeout: 20 } as const;

  it('run as processes from the next invocation on, if no setting names the engine', async () => {
    await using engine = await fakeEngine();
    await engine.start();
    vi.stubEnv('DOCKER_HOST', engine.address);
    await using test = await startRunning({ settings: { values: { EMULATOR_LAMBDA_BACKEND: undefined } } });
    const { containers } = test.emulator.kernel;
    expect((await containers.of('lambda', { processes: true })).backend).toBe('docker');
    await engine.stop();
    const name = await test.define(CODE, NODE_FUNCTION);
    expect(await test.invoke(name, { a: 1 })).toMatchObject({ StatusCode: 200, payload: { a: 1 } });
    expect((await containers.of('lambda', { processes: true })).backend).toBe('process');
    vi.unstubAllEnvs();
  });

  it('are rejected with the reason, if a setting names it', async () => {
    await using engine = await fakeEngine();
    await engine.start();
    vi.stubEnv('DOCKER_HOST', engine.address);
    await using test = await startRunning({ settings: { values } });
    await test.emulator.kernel.containers.of('lambda', { processes: true });
    await engine.stop();
    const name = await test.define(CODE, NODE_FUNCTION);
    await expect(test.invoke(name)).rejects.toMatchObject({
      name: 'InvalidRuntimeException',
      message: expect.stringMatching(/^emu cannot run \S+ \(nodejs22\.x\): no container engine responds: DOCKER_HOST/),
    });
    vi.unstubAllEnvs();
  });
});

describe.skipIf(reason !== undefined)('functions in containers', () => {
  let test: RunningTest;
  let runtime: ContainerRuntime;
  beforeAll(async () => {
    test = await startRunning({ settings: { values } });
    runtime = await test.emulator.kernel.containers.of('lambda');
    // Like AWS's images: an entry point that receives the handler, and the runtime at its own path.
    await runtime.images!.build(AWS_LIKE, {
      Dockerfile: `FROM ${NODE}\nCOPY entry /lambda-entrypoint.sh\nCOPY bootstrap ric.cjs /var/runtime/\nENV LAMBDA_IMAGE=yes\nENTRYPOINT ["/lambda-entrypoint.sh"]\n`,
      entry: '#!/bin/sh\nexport _HANDLER="$1"\nexec /var/runtime/bootstrap\n',
      bootstrap: '#!/bin/sh\nexec node /var/runtime/ric.cjs\n',
      'ric.cjs': NODE_BOOTSTRAP,
    });
    await runtime.images!.build(OWN, {
      Dockerfile: `FROM ${AWS_LIKE}\nCOPY app.js other.js /var/task/\nCMD ["app.handler"]\n`,
      'app.js': 'exports.handler = async (event) => ({ own: event, dir: process.cwd() });',
      'other.js': 'exports.handler = async () => "another command";',
    });
  });
  afterAll(() => test?.[Symbol.asyncDispose]());

  it('run a custom program with limits, files and credentials of their role', async () => {
    const name = await test.define(
      {
        bootstrap: BOOTSTRAP,
        'ric.cjs': NODE_BOOTSTRAP,
        'index.js': `
          const fs = require('fs');
          exports.handler = async (event, context) => {
            console.log('inside', process.pid);
            fs.writeFileSync('/tmp/file', 'x');
            return {
              event,
              remaining: context.getRemainingTimeInMillis() > 0,
              hostFiles: fs.existsSync('/work'),
              opt: fs.existsSync('/opt/hello') && fs.readFileSync('/opt/hello', 'utf8'),
              env: Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(AWS_REGION|LAMBDA|COLOR|_HANDLER)/.test(name))),
              signed: process.env.AWS_ACCESS_KEY_ID.startsWith('ASIA'),
            };
          };`,
      },
      {
        ...CUSTOM,
        Environment: { Variables: { COLOR: 'blue' } },
        Layers: [
          (
            await test.lambda.publishLayerVersion({
              LayerName: 'hello',
              Content: { ZipFile: zipOf({ hello: 'of a layer' }) },
            })
          ).LayerVersionArn!,
        ],
      },
    );
    const { payload } = await test.invoke(name, { a: 1 });
    expect(payload).toEqual({
      event: { a: 1 },
      remaining: true,
      hostFiles: false,
      opt: 'of a layer',
      env: {
        AWS_REGION: 'us-east-1',
        COLOR: 'blue',
        LAMBDA_TASK_ROOT: '/var/task',
        LAMBDA_RUNTIME_DIR: '/var/runtime',
        _HANDLER: 'index.handler',
      },
      signed: true,
    });
    // Container output passes through the engine and may arrive after the response on a busy machine.
    const messages = async () => {
      const { json } = await test.emulator.control('GET', `/_emulator/lambda/logs?function_name=${name}`);
      return (json as { lines: { message: string }[] }).lines.map(({ message }) => message);
    };
    await expect.poll(messages, { timeout: 10_000 }).toContainEqual(expect.stringMatching(/INFO\tinside 1$/));
    // Warm: the same container.
    expect((await test.invoke(name, 2)).payload).toMatchObject({ event: 2 });
    const { json } = await test.emulator.control('GET', '/_emulator/lambda/warm-containers');
    const [warm] = (json as { containers: { functionName: string; backend: string; containerId: string }[] })
      .containers;
    expect(warm).toMatchObject({ functionName: name, backend: 'docker' });
    expect(await runtime.list({ 'emulator-function': name })).toMatchObject([{ id: warm!.containerId, running: true }]);
    await test.emulator.control('POST', `/_emulator/lambda/${name}/evict-container`);
    expect(await runtime.list({ 'emulator-function': name })).toEqual([]);
  });

  it('have a /tmp of the size of their ephemeral storage', async () => {
    const name = await test.define(
      {
        bootstrap: BOOTSTRAP,
        'ric.cjs': NODE_BOOTSTRAP,
        'index.js': `
          const { bsize, blocks } = require('fs').statfsSync('/tmp');
          exports.handler = async () => (bsize * blocks) / 1024 / 1024;`,
      },
      { ...CUSTOM, EphemeralStorage: { Size: 600 } },
    );
    expect((await test.invoke(name)).payload).toBe(600);
  });

  it('reach the emulator at AWS_ENDPOINT_URL', async () => {
    const name = await test.define(
      {
        bootstrap: BOOTSTRAP,
        'ric.cjs': NODE_BOOTSTRAP,
        'index.js':
          "exports.handler = async () => (await fetch(process.env.AWS_ENDPOINT_URL + '/_emulator/health')).status;",
      },
      CUSTOM,
    );
    expect((await test.invoke(name)).payload).toBe(200);
  });

  it("reach the emulator at AWS's host names", async () => {
    const code = `
      const { get } = require('https');
      exports.handler = () => new Promise((resolve, reject) => {
        get('https://lambda.us-east-1.amazonaws.com/2015-03-31/functions/', ({ statusCode, socket }) =>
          resolve([statusCode, socket.authorized])).on('error', reject);
      });`;
    const bootstrapped = { bootstrap: BOOTSTRAP, 'ric.cjs': NODE_BOOTSTRAP, 'index.js': code };
    for (const name of [
      await test.define({ 'index.js': code }, { Runtime: 'nodejs22.x', Handler: 'index.handler', Timeout: 20 }),
      await test.define(bootstrapped, CUSTOM),
    ])
      expect((await test.invoke(name)).payload).toEqual([200, true]);
  });

  it('do not start if their package or a layer leads outside of its directory', async () => {
    const files = { bootstrap: BOOTSTRAP, 'ric.cjs': NODE_BOOTSTRAP, 'index.js': 'exports.handler = async () => 1;' };
    const leading = { ...files, out: { content: '../../tmp', mode: 0o120777 } };
    const { LayerVersionArn } = await test.lambda.publishLayerVersion({
      LayerName: 'leading',
      Content: { ZipFile: zipOf(leading) },
    });
    const running = vi.spyOn(runtime, 'start');
    for (const name of [
      await test.define(leading, CUSTOM),
      await test.define(files, { ...CUSTOM, Layers: [LayerVersionArn!] }),
    ])
      await expect(test.invoke(name)).rejects.toMatchObject({
        name: 'InvalidZipFileException',
        message: 'Lambda could not unzip the deployment package: out leads out of the package.',
      });
    expect(running).not.toHaveBeenCalled();
    running.mockRestore();
    expect((await test.invoke(await test.define(files, CUSTOM))).payload).toBe(1);
  });

  it("run in images like AWS's, which receive the handler", async () => {
    const name = await test.define(
      { 'folder/main.js': 'exports.go = async () => ({ image: process.env.LAMBDA_IMAGE, path: process.env.PATH });' },
      { Runtime: 'nodejs22.x', Handler: 'folder/main.go', Timeout: 20 },
    );
    expect((await test.invoke(name)).payload).toEqual({ image: 'yes', path: '/usr/bin:/bin' });
  });

  it('run custom images with the given command', async () => {
    const input = { Role: 'arn:aws:iam::000000000000:role/lambda', PackageType: 'Image' as const, Timeout: 20 };
    await test.lambda.createFunction({ ...input, FunctionName: 'own', Code: { ImageUri: OWN } });
    expect((await test.invoke('own', { a: 1 })).payload).toMatchObject({ own: { a: 1 } });
    await test.lambda.createFunction({
      ...input,
      FunctionName: 'other',
      Code: { ImageUri: OWN },
      ImageConfig: { Command: ['other.handler'], WorkingDirectory: '/tmp' },
    });
    expect((await test.invoke('other')).payload).toBe('another command');
    await test.lambda.createFunction({
      ...input,
      FunctionName: 'ecr',
      Code: { ImageUri: '123456789012.dkr.ecr.us-east-1.amazonaws.com/app:1' },
    });
    // The registry is the emulator's own, which lacks this image.
    await expect(test.invoke('ecr')).rejects.toThrow(
      /^emu cannot run ecr \(container image\): 127\.0\.0\.1:\d+\/app:1 cannot be fetched: /,
    );
  });

  it('are killed at the timeout, and fail when they exit or exceed their memory', async () => {
    const files = (code: string) => ({ bootstrap: BOOTSTRAP, 'ric.cjs': NODE_BOOTSTRAP, 'index.js': code });
    const slow = await test.define(files('exports.handler = () => new Promise(() => setInterval(() => {}, 1000));'), {
      ...CUSTOM,
      Timeout: 1,
    });
    expect((await test.invoke(slow)).payload).toMatchObject({ errorType: 'Sandbox.Timedout' });
    await expect.poll(() => runtime.list({ 'emulator-function': slow })).toEqual([]);
    const ends = await test.define(files('exports.handler = async () => process.exit(7);'), CUSTOM);
    expect((await test.invoke(ends)).payload).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringContaining('exit status 7'),
    });
    const greedy = await test.define(
      files('exports.handler = async () => { const all = []; for (;;) all.push(Buffer.alloc(1e7, 1)); };'),
      { ...CUSTOM, MemorySize: 128 },
    );
    expect((await test.invoke(greedy)).payload).toMatchObject({ errorType: 'Runtime.OutOfMemory' });
  });

  it('report why an image or program is unavailable', async () => {
    const java = await test.define({ 'app.jar': 'x' }, { Runtime: 'java21', Handler: 'App', Timeout: 20 });
    await expect(test.invoke(java)).rejects.toMatchObject({
      name: 'InvalidRuntimeException',
      message: expect.stringMatching(/^emu cannot run \S+ \(java21\): localhost\/emu-test\/none:1 cannot be fetched: /),
    });
    await test.lambda.createFunction({
      Role: 'arn:aws:iam::000000000000:role/lambda',
      PackageType: 'Image',
      FunctionName: 'broken',
      Code: { ImageUri: OWN },
      ImageConfig: { EntryPoint: ['/no/such/program'] },
    });
    expect((await test.invoke('broken')).payload).toMatchObject({
      errorType: 'Runtime.InvalidEntrypoint',
      errorMessage: expect.stringContaining('lambda-broken cannot be started: '),
    });
    const none = await test.define({ 'other.txt': 'x' }, CUSTOM);
    expect((await test.invoke(none)).payload).toMatchObject({ errorType: 'Runtime.InvalidEntrypoint' });
  });

  it('run external extensions that read the log beside the runtime', async () => {
    const lines: string[] = [];
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
      request.on('end', () => response.end());
    });
    const { bind, host } = await runtime.callback();
    await new Promise<void>((resolve) => server.listen(0, bind, resolve));
    const sink = `http://${host}:${(server.address() as AddressInfo).port}/`;
    const extension = `#!/bin/sh
exec node -e "$(cat <<'CODE'
const http = require('http');
const api = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API;
(async () => {
  const registered = await fetch(api + '/2020-01-01/extension/register', { method: 'POST', headers: { 'Lambda-Extension-Name': 'watcher' }, body: '{"events":["INVOKE"]}' });
  const id = { 'Lambda-Extension-Identifier': registered.headers.get('lambda-extension-identifier') };
  http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => { text += chunk; });
    request.on('end', async () => { await fetch('${sink}', { method: 'POST', body: text }); response.end(); });
  }).listen(9100, '0.0.0.0', async () => {
    await fetch(api + '/2022-07-01/telemetry', { method: 'PUT', headers: id, body: JSON.stringify({ schemaVersion: '2022-12-13', types: ['function'], buffering: { timeoutMs: 25 }, destination: { protocol: 'HTTP', URI: 'http://sandbox.localdomain:9100' } }) });
    for (;;) await (await fetch(api + '/2020-01-01/extension/event/next', { headers: id })).text();
  });
})();
CODE
)"
`;
    const { LayerVersionArn } = await test.lambda.publishLayerVersion({
      LayerName: 'extension',
      Content: { ZipFile: zipOf({ 'extensions/watcher': executable(extension) }) },
    });
    const name = await test.define(
      { 'index.js': 'exports.handler = async () => { console.log("to be seen"); return "done"; };' },
      { Runtime: 'nodejs22.x', Timeout: 20, MemorySize: 512, Layers: [LayerVersionArn!] },
    );
    expect((await test.invoke(name)).payload).toBe('done');
    await expect.poll(() => lines.join(''), { timeout: 10_000 }).toContain('to be seen');
    server.close();
  });
});
