import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { LoadedStateRecord } from '@emu/control-client';
import { contentsOf, differencesOf, type StateContents } from '@emu/core/state-file';
import { Failure } from './failure.ts';

/** Selected part of the state, and the load mode. */
export interface StateOptions {
  services?: string | undefined;
  accounts?: string | undefined;
  merge?: boolean | undefined;
}

const write = (text: string): boolean => process.stdout.write(`${text}\n`);

/** `emu state save`: writes the state of a running emulator to a file readable by its owner only. */
export async function saveState(base: string, path: string, options: StateOptions): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w', 0o600).catch(unusable(path));
  try {
    // For an existing file.
    await file.chmod(0o600);
    for await (const chunk of await download(base, options)) await file.write(chunk);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  const { size } = await stat(path);
  write(`${path} contains the state of ${base}: ${size} bytes`);
  write('It contains secrets, keys and tokens in plain text; only you can read it.');
}

/** `emu state load`: loads a state file into a running emulator. */
export async function loadState(base: string, path: string, options: StateOptions): Promise<void> {
  await stat(path).catch(unusable(path));
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
  const query = queryOf(options, { mode: options.merge ? 'merge' : 'replace' });
  const init = { method: 'POST', headers: { 'content-type': 'application/gzip' }, body, duplex: 'half' } as const;
  const { loaded, takenAt } = (await (await request(base, query, init)).json()) as LoadedStateRecord;
  const services = Object.entries(loaded).map(([name, records]) => `${name} (${records})`);
  write(`loaded the state of ${takenAt}: ${services.length ? services.join(', ') : 'nothing'}`);
}

/**
 * `emu state diff`: prints how the second file, or the running emulator, differs from the first file.
 * @returns whether they are equal
 */
export async function diffState(
  first: string,
  second: string | (() => Promise<string>),
  json: boolean,
): Promise<boolean> {
  const before = await contentsAt(first);
  const after =
    typeof second === 'string' ? await contentsAt(second) : await contentsOf(await download(await second(), {}));
  const differences = differencesOf(before, after);
  const SIGNS = { added: '+', removed: '-', changed: '~' };
  if (json) write(JSON.stringify(differences));
  else for (const { record, change } of differences) write(`${SIGNS[change]} ${record}`);
  return differences.length === 0;
}

async function contentsAt(path: string): Promise<StateContents> {
  await stat(path).catch(unusable(path));
  try {
    return await contentsOf(createReadStream(path) as AsyncIterable<Uint8Array>);
  } catch (error) {
    throw new Failure(`${path} cannot be compared: ${(error as Error).message}`);
  }
}

const unusable =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new Failure(`${path} cannot be used: ${error.message}.`);
  };

async function download(base: string, options: StateOptions): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await request(base, queryOf(options, {}), {});
  if (!body) throw new Failure(`${base} returned no response.`);
  return body as AsyncIterable<Uint8Array>;
}

function queryOf({ services, accounts }: StateOptions, others: Record<string, string>): string {
  const query = new URLSearchParams(others);
  if (services !== undefined) query.set('services', services);
  if (accounts !== undefined) query.set('accounts', accounts);
  return query.size ? `?${query}` : '';
}

/** Calls the route without a timeout. @throws Failure without a response, or for an error */
async function request(base: string, query: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`${base}/_emulator/state${query}`, init).catch(() => {
    throw new Failure(`${base} did not respond.`);
  });
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  throw new Failure(error?.message ?? `${base} returned status ${response.status}.`);
}
