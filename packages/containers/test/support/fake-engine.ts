import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Answers of an engine without containers, volumes and networks, by path without version. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/version': { Version: '27.0.0', Components: [] },
  '/info': { Name: 'fake', OperatingSystem: 'fake', SecurityOptions: [] },
  '/containers/json': [],
  '/volumes': { Volumes: [] },
  '/networks': [],
};

/** An engine that responds until it is stopped. */
export interface FakeEngine extends AsyncDisposable {
  /** Value of `DOCKER_HOST`. */
  readonly address: string;
  /** Paths of the requests. */
  readonly requests: readonly string[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates an engine at a socket of its own; it responds once started. */
export async function fakeEngine(): Promise<FakeEngine> {
  const home = await mkdtemp(join(tmpdir(), 'emu-engine-'));
  const path = join(home, 'engine.sock');
  const requests: string[] = [];
  let server: Server | undefined;
  const stop = async (): Promise<void> => {
    const running = server;
    server = undefined;
    running?.closeAllConnections();
    if (running) await new Promise((resolve) => running.close(resolve));
  };
  return {
    address: `unix://${path}`,
    requests,
    async start() {
      const started = createServer((request, response) => {
        const asked = new URL(request.url ?? '', 'http://engine').pathname.replace(/^\/v[\d.]+/, '');
        requests.push(asked);
        const known = Object.hasOwn(ANSWERS, asked);
        response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify(known ? ANSWERS[asked] : { message: `no ${asked}` }));
      });
      server = started;
      await new Promise<void>((resolve) => started.listen(path, resolve));
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
