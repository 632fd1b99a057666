import type { BitReader } from './bit-reader.ts';

/** Symbols per Huffman table selection. */
const GROUP_SIZE = 50;
const LONGEST_CODE = 20;
/** Maximum bytes of a run: four, and the count in the fifth. */
const LONGEST_RUN = 4 + 255;

/** A canonical Huffman code. */
interface Code {
  readonly shortest: number;
  readonly longest: number;
  /** Greatest code of each length. */
  readonly limit: Int32Array;
  /** Offset from a code of each length to its symbol. */
  readonly base: Int32Array;
  readonly symbols: Uint16Array;
}

/** Decodes consecutive blocks in the same memory. */
export class BlockDecoder {
  /** Bytes in the low eight bits; after decoding, the index of the next byte in the others. */
  private readonly cells: Uint32Array;
  private count = 0;
  private origin = 0;

  /** @param size maximum symbols per block */
  constructor(private readonly size: number) {
    this.cells = new Uint32Array(size);
  }

  /**
   * Reads a block after its checksum.
   * @throws Error if it is damaged
   */
  decode(bits: BitReader): void {
    if (bits.bit()) throw new Error('randomised blocks are unsupported');
    this.origin = bits.read(24);
    const alphabet = readAlphabet(bits);
    const { codes, selectors } = readCodes(bits, alphabet.length + 2);
    this.readSymbols(bits, alphabet, codes, selectors);
    if (this.origin >= this.count) throw new Error('the start of a block is beyond its end');
    this.link();
  }

  /**
   * Yields the decoded bytes.
   * @param length of a chunk
   */
  *pieces(length: number): Generator<Uint8Array> {
    const { cells } = this;
    let piece = new Uint8Array(length);
    let filled = 0;
    let cell = cells[this.origin]!;
    let run = 0;
    let previous = -1;
    for (let left = this.count; left > 0; left--) {
      cell = cells[cell >>> 8]!;
      const byte = cell & 0xff;
      if (filled + LONGEST_RUN > length) {
        yield piece.subarray(0, filled);
        piece = new Uint8Array(length);
        filled = 0;
      }
      if (run === 4) {
        piece.fill(previous, filled, filled + byte);
        filled += byte;
        run = 0;
        previous = -1;
        continue;
      }
      run = byte === previous ? run + 1 : 1;
      previous = byte;
      piece[filled++] = byte;
    }
    yield piece.subarray(0, filled);
  }

  /** Decodes Huffman codes, runs and move-to-front. */
  private readSymbols(bits: BitReader, alphabet: number[], codes: readonly Code[], selectors: Uint8Array): void {
    const { cells, size } = this;
    const front = Uint8Array.from(alphabet);
    const end = alphabet.length + 1;
    let count = 0;
    let runLength = 0;
    let runPlace = 1;
    for (let index = 0; ; index++) {
      const code = codes[selectors[Math.floor(index / GROUP_SIZE)] ?? -1];
      if (!code) throw new Error('a block has more symbols than declared');
      const symbol = readSymbol(bits, code);
      if (symbol < 2) {
        runLength += runPlace << symbol;
        runPlace *= 2;
        if (runLength > size) throw new Error('a run exceeds its block');
        continue;
      }
      if (runLength > 0) {
        if (count + runLength > size) throw new Error('a block exceeds its maximum size');
        cells.fill(front[0]!, count, count + runLength);
        count += runLength;
        runLength = 0;
        runPlace = 1;
      }
      if (symbol === end) break;
      if (count >= size) throw new Error('a block exceeds its maximum size');
      const byte = front[symbol - 1]!;
      front.copyWithin(1, 0, symbol - 1);
      front[0] = byte;
      cells[count++] = byte;
    }
    this.count = count;
  }

  /** Inverts the Burrows-Wheeler transform: stores the index of the next byte beside each byte in sorted order. */
  private link(): void {
    const { cells, count } = this;
    const places = new Uint32Array(256);
    for (let index = 0; index < count; index++) places[cells[index]!]!++;
    let sum = 0;
    for (let byte = 0; byte < 256; byte++) {
      const own = places[byte]!;
      places[byte] = sum;
      sum += own;
    }
    for (let index = 0; index < count; index++) {
      const place = places[cells[index]! & 0xff]!++;
      cells[place]! |= index << 8;
    }
  }
}

/** Reads the bytes that occur in a block. */
function readAlphabet(bits: BitReader): number[] {
  const used = bits.read(16);
  const alphabet: number[] = [];
  for (let high = 0; high < 16; high++) {
    if (!(used & (0x8000 >> high))) continue;
    const part = bits.read(16);
    for (let low = 0; low < 16; low++) if (part & (0x8000 >> low)) alphabet.push(high * 16 + low);
  }
  if (alphabet.length === 0) throw new Error('a block without symbols');
  return alphabet;
}

/** Reads the Huffman codes of a block, and the code of each symbol group. */
function readCodes(bits: BitReader, symbols: number): { codes: Code[]; selectors: Uint8Array } {
  const number = bits.read(3);
  const selectors = new Uint8Array(bits.read(15));
  if (number < 2 || number > 6) throw new Error('a block must have two to six codes');
  const front = [0, 1, 2, 3, 4, 5].slice(0, number);
  for (let index = 0; index < selectors.length; index++) {
    let place = 0;
    while (bits.bit()) if (++place >= number) throw new Error('a group selects a missing code');
    const [chosen] = front.splice(place, 1) as [number];
    front.unshift(chosen);
    selectors[index] = chosen;
  }
  const codes = Array.from({ length: number }, () => readCode(bits, symbols));
  return { codes, selectors };
}

function readCode(bits: BitReader, symbols: number): Code {
  const lengths = new Uint8Array(symbols);
  let length = bits.read(5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (;;) {
      if (length < 1 || length > LONGEST_CODE) throw new Error('a code is too long');
      if (!bits.bit()) break;
      length += bits.bit() ? -1 : 1;
    }
    lengths[symbol] = length;
  }
  const limit = new Int32Array(LONGEST_CODE + 1);
  const base = new Int32Array(LONGEST_CODE + 1);
  const ordered: number[] = [];
  const shortest = Math.min(...lengths);
  const longest = Math.max(...lengths);
  let code = 0;
  for (let size = shortest; size <= longest; size++) {
    base[size] = code - ordered.length;
    for (let symbol = 0; symbol < symbols; symbol++) {
      if (lengths[symbol] !== size) continue;
      ordered.push(symbol);
      code++;
    }
    limit[size] = code - 1;
    code *= 2;
  }
  return { shortest, longest, limit, base, symbols: Uint16Array.from(ordered) };
}

function readSymbol(bits: BitReader, { shortest, longest, limit, base, symbols }: Code): number {
  let code = bits.read(shortest);
  for (let length = shortest; length <= longest; length++) {
    if (code <= limit[length]!) {
      const symbol = symbols[code - base[length]!];
      if (symbol === undefined) break;
      return symbol;
    }
    code = code * 2 + bits.bit();
  }
  throw new Error('a code without a symbol');
}
