/** A change of the bytes of a file. */
export type Damage = (bytes: Buffer) => Buffer;

const flip =
  (offset: (bytes: Buffer) => number): Damage =>
  (bytes) => {
    const damaged = Buffer.from(bytes);
    damaged[offset(bytes)]! ^= 1;
    return damaged;
  };
const cut =
  (length: (bytes: Buffer) => number): Damage =>
  (bytes) =>
    bytes.subarray(0, length(bytes));
const append =
  (text: string): Damage =>
  (bytes) =>
    Buffer.concat([bytes, Buffer.from(text)]);
/** Changes the lines of a file, each with its newline. */
const withLines =
  (change: (lines: string[]) => string[]): Damage =>
  (bytes) =>
    Buffer.from(change(bytes.toString().split(/(?<=\n)/)).join(''));
const lastLine = (bytes: Buffer): number => bytes.lastIndexOf('\n', bytes.length - 2) + 1;

/** Kinds of damage of a file of several lines; in other files some are equal, or change nothing. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  emptied: cut(() => 0),
  'cut in its first line': cut(() => 5),
  'cut after its first line': cut((bytes) => bytes.indexOf('\n') + 1),
  'cut in the middle': cut(({ length }) => length >> 1),
  'cut before its last line': cut(lastLine),
  'cut in its last line': cut((bytes) => lastLine(bytes) + 3),
  'cut before its last byte': cut(({ length }) => length - 1),
  'with its first byte flipped': flip(() => 0),
  'with a byte of its first line flipped': flip(() => 9),
  'with its middle byte flipped': flip(({ length }) => length >> 1),
  'with a byte of its last line flipped': flip((bytes) => lastLine(bytes) + 5),
  'with its last byte flipped': flip(({ length }) => length - 1),
  'with its second line twice': withLines((lines) => [...lines.slice(0, 2), ...lines.slice(1)]),
  'with its last line twice': withLines((lines) => [...lines, lines.at(-1)!]),
  'without its second line': withLines((lines) => lines.toSpliced(1, 1)),
  'with its last two lines swapped': withLines((lines) => [...lines.slice(0, -2), lines.at(-1)!, lines.at(-2)!]),
  'with a line of rubbish at its end': append('rubbish\n'),
  'with rubbish at its end': append('rubbish'),
  'with zeros at its end': append('\0'.repeat(100)),
};
