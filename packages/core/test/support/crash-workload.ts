import { expect } from 'vitest';
import type { IdSource } from '../../src/base/ids.ts';
import type { Found } from './crash-commands.ts';

/** Number of names of notes, and of pairs. */
const NAMES = 60;
/** Concurrent commands. */
const LANES = 24;

/** An emulator that executes commands. */
export interface CommandTaker {
  /** Resolves when the command is acknowledged; never after a crash. */
  send(id: string, command: string): Promise<void>;
}

/** Shares of the kinds of commands, from 0 to 1; the rest are puts. */
export interface Shares {
  pair: number;
  bodyPair: number;
  delete: number;
  body: number;
}

/** Possible values of a name: the last acknowledged one, or one sent since. `undefined` is a missing record. */
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

/** Sends commands to emulators that crash one after the other, and checks the state that each next one finds. */
export class CrashWorkload {
  sent = 0;
  acknowledged = 0;
  private readonly notes = Array.from({ length: NAMES }, () => new Expectation());
  private readonly pairs = Array.from({ length: NAMES }, () => new Expectation());

  /** @param textOf returns the text of a command, by its number */
  constructor(
    private readonly ids: Pick<IdSource, 'random'>,
    private readonly shares: Shares,
    private readonly textOf: (command: number) => string,
  ) {}

  /** Returns an integer from 0 up to a limit, which is excluded. */
  upTo(limit: number): number {
    return Math.floor(this.ids.random() * limit);
  }

  /** Checks that no acknowledged change is lost, and that every value was sent. */
  check(found: Found): void {
    const known = new Set<string>();
    for (let index = 0; index < NAMES; index++) {
      const name = `note-${index}`;
      known.add(name);
      expect(this.notes[index]!.allows(found.notes[name]), `${name} is ${found.notes[name]}`).toBe(true);
      // The found state is final: commands without a response do not take effect later.
      this.notes[index]!.acknowledged(found.notes[name]);
      const [left, right] = [found.halves[`pair-${index} left`], found.halves[`pair-${index} right`]];
      expect(left, `pair-${index} is whole`).toBe(right);
      expect(this.pairs[index]!.allows(left), `pair-${index} is ${left}`).toBe(true);
      this.pairs[index]!.acknowledged(left);
    }
    expect(Object.keys(found.notes).filter((name) => !known.has(name))).toEqual([]);
  }

  /** Sends commands, one at a time for each name, until the emulator is killed. */
  write(taker: CommandTaker, killed: () => boolean): void {
    for (let lane = 0; lane < LANES; lane++) void this.writeLane(taker, lane, killed);
  }

  private async writeLane(taker: CommandTaker, lane: number, killed: () => boolean): Promise<void> {
    while (!killed()) {
      const index = lane + LANES * this.upTo(Math.ceil((NAMES - lane) / LANES));
      const kind = this.kind();
      const number = this.sent++;
      const text = this.textOf(number);
      const isPair = kind.endsWith('pair');
      const expectation = (isPair ? this.pairs : this.notes)[index]!;
      const value = kind === 'delete' ? undefined : text;
      expectation.sent(value);
      await taker.send(String(number), `${kind} ${isPair ? 'pair' : 'note'}-${index} ${text}`);
      expectation.acknowledged(value);
      this.acknowledged++;
    }
  }

  private kind(): string {
    const { pair, bodyPair, delete: deletion, body } = this.shares;
    let left = this.ids.random();
    for (const [kind, share] of Object.entries({ pair, 'body-pair': bodyPair, delete: deletion, body })) {
      left -= share;
      if (left < 0) return kind;
    }
    return 'put';
  }

  /** Puts every note; resolves when that is acknowledged. */
  async putAll(taker: CommandTaker, text: string): Promise<void> {
    await Promise.all(
      this.notes.map(async (note, index) => {
        note.sent(text);
        await taker.send(`put-${index}`, `put note-${index} ${text}`);
        note.acknowledged(text);
      }),
    );
  }

  /** Removes everything; resolves when that is acknowledged. */
  async reset(taker: CommandTaker): Promise<void> {
    const all = [...this.notes, ...this.pairs];
    for (const expectation of all) expectation.sent(undefined);
    await taker.send('reset', 'reset');
    for (const expectation of all) expectation.acknowledged(undefined);
  }
}
