import { Slices } from '@emu/core/service';
import { MAX_WEIGHT } from '@emu/wire';

/** Smallest body, in bytes, whose weight is estimated before it is parsed. */
export const LARGE_BODY: number = 1024 * 1024;

/** Bytes between two reads of the clock. */
const STEP = 64 * 1024;
/** Bytes that V8 needs for an object or array with its slot, and for the header of a string. */
const OBJECT = 40;
const STRING = 24;
/** Largest number of characters that count for one string. The limit of the body bounds longer ones. */
const LONG_STRING = 64;
/** Bytes of an entry of a hash table, which grows by doubling. */
const HASHED_ENTRY = 160;
/** Number of entries above which an object is a hash table. */
const LARGE_OBJECT = 1020;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Estimates the memory of a JSON text's parsed values, without the characters of long strings. It can be a hundred
 * times the size of the text. Runs in slices on the bytes alone, so that invalid JSON has a weight, too.
 * @param most bytes at which the estimate stops
 * @returns bytes; `most` or slightly more for heavier texts
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

/** Whether the values of a JSON text would need more memory than one body may use. */
export const isCrowded = async (text: Uint8Array): Promise<boolean> =>
  (await jsonWeight(text, MAX_WEIGHT)) >= MAX_WEIGHT;

class WeightScan {
  weight = 0;
  private position = 0;
  /** Numbers of entries of the open objects and arrays. */
  private readonly entries: number[] = [];
  private current = 0;
  /** Start of the open string; -1 outside of strings. */
  private stringFrom = -1;

  constructor(private readonly text: Uint8Array) {}

  get ended(): boolean {
    return this.position >= this.text.length;
  }

  /** Scans the next bytes. */
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
          // V8 shares strings of one character.
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
