import { afterAll, beforeAll } from 'vitest';

// Test files share their process (`isolate: false`). This setup file of every test file fails the file that leaves
// resources behind, and names them, because they would affect the next file.

/** Milliseconds in which resources must end by themselves. */
const PATIENCE = 5000;
const LOOK_EVERY = 20;
/** Placeholder of a global that does not exist yet. */
const LAZY = Symbol('not made yet');
/** Globals that libraries create once when loaded or used: the agent of node's fetch, and the helpers of tslib. */
const OF_LIBRARIES = /^(Symbol\(undici\.globalDispatcher\.\d+\)|__[a-z][A-Za-z]+)$/;

/** Kinds of active resources that only outlive a test file that forgot to close them. */
const WATCHED: ReadonlySet<string> = new Set([
  'Timeout',
  'Immediate',
  'TCPServerWrap',
  'TCPSocketWrap',
  'UDPWrap',
  'ProcessWrap',
  'Worker',
  'FSEventWrap',
  'StatWatcher',
]);

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly globals: ReadonlyMap<PropertyKey, unknown>;
  readonly directory: string;
  readonly resources: ReadonlyMap<string, number>;
}

/** Returns the members of `globalThis`, without accessors, which node replaces at their first use. */
function globals(): Map<PropertyKey, unknown> {
  const found = new Map<PropertyKey, unknown>();
  for (const name of Reflect.ownKeys(globalThis)) {
    const { get, value } = Object.getOwnPropertyDescriptor(globalThis, name)!;
    found.set(name, get ? LAZY : value);
  }
  return found;
}

/** Returns the number of active resources of each kind. */
function resources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    if (WATCHED.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

const look = (): Surroundings => ({
  environment: { ...process.env },
  globals: globals(),
  directory: process.cwd(),
  resources: resources(),
});

/** Returns open ports and child processes as texts; node has no public list of them. */
function openHandles(): string[] {
  const handles = (process as unknown as { _getActiveHandles(): Record<string, unknown>[] })._getActiveHandles();
  return handles.flatMap((handle) => {
    const address = typeof handle.address === 'function' && handle.listening ? handle.address() : undefined;
    if (address) return [`a server listens on ${JSON.stringify(address)}`];
    if (typeof handle.spawnfile === 'string') return [`the process ${handle.spawnfile} (${handle.pid}) runs`];
    if (typeof handle.remotePort === 'number') return [`a socket is connected to port ${handle.remotePort}`];
    return [];
  });
}

/** Returns the resources that did not exist before, as sentences. */
function leaks(before: Surroundings, now: Surroundings): string[] {
  const found: string[] = [];
  const names = new Set([...Object.keys(before.environment), ...Object.keys(now.environment)]);
  for (const name of names)
    if (before.environment[name] !== now.environment[name]) found.push(`the environment variable ${name} has changed`);
  for (const name of new Set([...before.globals.keys(), ...now.globals.keys()])) {
    const [was, is] = [before.globals.get(name), now.globals.get(name)];
    const made = !before.globals.has(name) && OF_LIBRARIES.test(String(name));
    if (was !== LAZY && !made && !Object.is(was, is)) found.push(`the global ${String(name)} has changed`);
  }
  if (before.directory !== now.directory) found.push(`the working directory is ${now.directory}`);
  for (const [kind, count] of now.resources)
    if (count > (before.resources.get(kind) ?? 0))
      found.push(`${count} of ${kind}, ${before.resources.get(kind) ?? 0} before`);
  return found;
}

let before: Surroundings;

beforeAll(() => {
  before = look();
});

// Hooks after tests run in the reverse order of their declaration, so this one runs last.
afterAll(async () => {
  const deadline = performance.now() + PATIENCE;
  let found = leaks(before, look());
  while (found.length && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    found = leaks(before, look());
  }
  if (found.length) throw new Error(`The test file left behind: ${[...found, ...openHandles()].join('; ')}.`);
});
