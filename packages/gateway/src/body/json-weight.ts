import { Slices } from '@emu/core/service';
import { MOST_WEIGHT } from '@emu/wire';

/** Bytes from which on a body is looked at before it is taken apart. */
export const LARGE_BODY: number = 1024 * 1024;

/** Bytes that are looked at between two looks at the clock. */
const STEP = 64 * 1024;
/** What V8 takes for an object or array with its place, and for the head of a string. */
const OBJECT = 40;
const STRING = 24;
/** Characters of a string that count: the limit of the body bounds those of long ones. */
const LONG_STRING = 64;
/** An entry of a hash table, which grows by doubling. */
const HASHED_ENTRY = 160;
/** Entries from which on an object is a hash table. */
const LARGE_OBJECT = 1020;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Estimates what the values of a JSON text take of memory once they are parsed, besides the characters of long strings: it can
 * be a hundred times the text.
 * Done in slices, and told of the bytes alone: what is not JSON has some weight, too.
 * @param most bytes at which it stops looking
 * @returns bytes; `most` or a little more where there are at least so many
 */
export async function jsonWeight(text: Uint8Array, most: number): Promise<number> {
  const slices = new Slices();
  const scan = new WeightScan(text);
  while (!scan.ended && scan.weight < most) {
    scan.next(STEP);
    const pause = slices.pause();
    if (pause) await pause;
  }
  return scan.weight;
}

/** Whether the values of a JSON text would take more of memory than those of one body may. */
export const isCrowded = async (text: Uint8Array): Promise<boolean> =>
  (await jsonWeight(text, MOST_WEIGHT)) >= MOST_WEIGHT;

class WeightScan {
  weight = 0;
  private position = 0;
  /** Entries of the objects and arrays that are open. */
  private readonly entries: number[] = [];
  private current = 0;
  /** Where the string that is open began; -1 outside of strings. */
  private stringFrom = -1;

  constructor(private readonly text: Uint8Array) {}

  get ended(): boolean {
    return this.position >= this.text.length;
  }

  /** Looks at some more bytes. */
  next(count: number): void {
    const { text } = this;
    const end = Math.min(text.length, this.position + count);
    let { position, stringFrom, weight, current } = this;
    for (; position < end; position++) {
      const byte = text[position]!;
      if (stringFrom >= 0) {
        if (byte === BACKSLASH) position++;
        else if (byte === QUOTE) {
          const length = position - stringFrom - 1;
          // Strings of one character are shared by all.
          if (length > 1) weight += STRING + Math.min(length, LONG_STRING);
          stringFrom = -1;
        }
        continue;
      }
      switch (byte) {
        case QUOTE:
          stringFrom = position;
          break;
        case COLON:
          if (++current > LARGE_OBJECT) weight += HASHED_ENTRY;
          break;
        case COMMA:
          weight += 8;
          break;
        case 0x5b:
        case 0x7b:
          weight += OBJECT;
          this.entries.push(current);
          current = 0;
          break;
        case 0x5d:
        case 0x7d:
          current = this.entries.pop() ?? 0;
          break;
      }
    }
    this.position = position;
    this.stringFrom = stringFrom;
    this.weight = weight;
    this.current = current;
  }
}
