import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createIds } from '../src/index.ts';
import type { Found } from './programs/writer.ts';
import { temporaryDirectory } from './support/directory.ts';

const KILLS = 50;
const NAMES = 60;
const WRITERS = 24;
/** Small, so that processes die while they fold journals, too. */
const FOLD_SIZE = 20_000;

/** What may be found under a name: what was acknowledged last, or what was sent since. `undefined` is nothing. */
class Expectation {
  private possible: (string | undefined)[] = [undefined];

  sent(text: string | undefined): void {
    this.possible.push(text);
  }

  acknowledged(text: string | undefined): void {
    this.possible = [text];
  }

  allows(text: string | undefined): boolean {
    return this.possible.includes(text);
  }
}

class Writer {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<string, () => void>();
  readonly found: Promise<Found>;
  readonly ended: Promise<unknown>;
  stderr = '';

  constructor(program: string, path: string) {
    this.child = spawn(process.execPath, [program, path, String(FOLD_SIZE)]);
    this.ended = once(this.child, 'close');
    createInterface({ input: this.child.stderr }).on('line', (line) => {
      // A write that the kill interrupted; nothing of it was acknowledged.
      if (!line.includes('bytes are dropped')) this.stderr += `${line}\n`;
    });
    // Writing to a process that was killed meanwhile is no error of the test.
    this.child.stdin.on('error', () => undefined);
    let first: (found: Found) => void;
    this.found = new Promise((resolve, reject) => {
      first = resolve;
      void this.ended.then(() => reject(new Error(`the writer ended at its start: ${this.stderr}`)));
    });
    this.found.catch(() => undefined);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) first(JSON.parse(line) as Found);
      else this.waiting.get(line.slice('ok '.length))?.();
    });
  }

  /** Resolves when the command is acknowledged; never if the process dies before. */
  send(id: string, command: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.child.stdin.write(`${id} ${command}\n`);
    });
  }

  kill(): Promise<unknown> {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  /** Ends it by itself. */
  end(): Promise<unknown> {
    this.child.stdin.end();
    return this.ended;
  }
}

test(`a process killed ${KILLS} times loses nothing that it acknowledged and invents nothing`, async () => {
  const path = await temporaryDirectory();
  const program = join(await temporaryDirectory(), 'writer.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'programs', 'writer.ts')],
    outfile: program,
    bundle: true,
    // Engines of containers are not needed, and part of one is native.
    external: ['dockerode', '@kubernetes/client-node'],
    platform: 'node',
    format: 'cjs',
    conditions: ['emu-source'],
    logLevel: 'error',
  });
  const ids = createIds('crash test');
  const upTo = (limit: number): number => Math.floor(ids.random() * limit);
  const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const notes = Array.from({ length: NAMES }, () => new Expectation());
  const pairs = Array.from({ length: NAMES }, () => new Expectation());
  const totals = { sent: 0, acknowledged: 0, atStart: 0 };
  let command = 0;

  const check = (found: Found): void => {
    const known = new Set<string>();
    for (let index = 0; index < NAMES; index++) {
      const name = `note-${index}`;
      known.add(name);
      expect(notes[index]!.allows(found.notes[name]), `${name} is ${found.notes[name]}`).toBe(true);
      // What was found is the past from now on: what was sent without an answer does not come later.
      notes[index]!.acknowledged(found.notes[name]);
      const [left, right] = [found.halves[`pair-${index} left`], found.halves[`pair-${index} right`]];
      expect(left, `pair-${index} is whole`).toBe(right);
      expect(pairs[index]!.allows(left), `pair-${index} is ${left}`).toBe(true);
      pairs[index]!.acknowledged(left);
    }
    expect(Object.keys(found.notes).filter((name) => !known.has(name))).toEqual([]);
  };

  /** Sends commands, one at a time for each name, until the process is killed. */
  const write = async (writer: Writer, lane: number, killed: () => boolean): Promise<void> => {
    while (!killed()) {
      const index = lane + WRITERS * upTo(Math.ceil((NAMES - lane) / WRITERS));
      const text = `${command}-${ids.hex(upTo(300))}`;
      const kind = ids.random();
      const id = String(command++);
      totals.sent++;
      if (kind < 0.2) {
        pairs[index]!.sent(text);
        await writer.send(id, `pair pair-${index} ${text}`);
        pairs[index]!.acknowledged(text);
      } else {
        const [verb, value] = kind < 0.35 ? ['delete', undefined] : [kind < 0.5 ? 'body' : 'put', text];
        notes[index]!.sent(value);
        await writer.send(id, `${verb} note-${index} ${text}`);
        notes[index]!.acknowledged(value);
      }
      totals.acknowledged++;
    }
  };

  for (let round = 0; round < KILLS; round++) {
    const writer = new Writer(program, path);
    if (round % 8 === 7) {
      // While it starts, and perhaps before it is ready.
      totals.atStart++;
      await Promise.race([writer.found.then(check), pause(20 + upTo(150))]);
      await writer.kill();
      continue;
    }
    check(await writer.found);
    let killed = false;
    for (let lane = 0; lane < WRITERS; lane++) void write(writer, lane, () => killed);
    await pause(upTo(120));
    await pause(ids.random());
    killed = true;
    await writer.kill();
    expect(writer.stderr).toBe('');
  }

  // A reset that was acknowledged holds, too; one that was not holds or does not.
  for (let round = 0; round < 4; round++) {
    const writer = new Writer(program, path);
    check(await writer.found);
    const put = Array.from({ length: NAMES }, async (_, index) => {
      const text = `before reset ${round}`.replaceAll(' ', '-');
      notes[index]!.sent(text);
      await writer.send(`put ${index}`.replace(' ', '-'), `put note-${index} ${text}`);
      notes[index]!.acknowledged(text);
    });
    await Promise.all(put);
    for (const expectation of [...notes, ...pairs]) expectation.sent(undefined);
    const reset = writer.send('reset', 'reset - -').then(() => {
      for (const expectation of [...notes, ...pairs]) expectation.acknowledged(undefined);
    });
    await (round % 2 ? reset : pause(upTo(5)));
    await writer.kill();
  }

  const last = new Writer(program, path);
  check(await last.found);
  await last.end();
  expect(last.stderr).toBe('');
  // Ended by itself it leaves a snapshot, the bodies that records refer to, and those that earlier ends have orphaned.
  const names = (await readdir(join(path, 'notes'))).filter((name) => name !== 'bodies' && name !== 'orphans');
  expect(names).toEqual(['snapshot.json']);
  expect(totals.acknowledged).toBeGreaterThan(1000);
  expect(totals.sent - totals.acknowledged).toBeGreaterThan(KILLS);
  console.log(`${totals.sent} sent, ${totals.acknowledged} acknowledged`);
});
