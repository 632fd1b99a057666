import { compare, type FilterPattern, numberIn } from './pattern.ts';
import { type Condition, readConditions, Scanner } from './scanner.ts';

/** One field of a space-delimited pattern. */
interface Field {
  /** Undefined for an unnamed field, which is identified by its position. */
  readonly name: string | undefined;
  readonly condition: Condition<string> | undefined;
}

const ELLIPSIS = /\.\.\./y;
const NAME = /[\p{L}_][\p{L}\p{N}_.-]*/uy;
const END_OF_FIELD = /(?=[,\]])/y;
/** A field of an event; text in brackets or quotes is a single field. */
const FIELDS = /\[([^\]]*)\]|"((?:[^"\\]|\\.)*)"|(\S+)/g;

/**
 * Parses a pattern for space-delimited events, such as `[ip, user, ..., status = 4*, bytes > 1000]`.
 * @throws PatternError
 */
export function parseDelimitedPattern(text: string): FilterPattern {
  const scanner = new Scanner(text);
  const before: Field[] = [];
  let after: Field[] | undefined;
  scanner.expect('[');
  do {
    if (scanner.read(ELLIPSIS) === undefined) (after ?? before).push(readField(scanner));
    else if (after) throw scanner.error();
    else after = [];
  } while (scanner.take(','));
  scanner.expect(']');
  if (!scanner.done) throw scanner.error();
  /** Assigns the fields of an event to the pattern's; undefined for a different number of fields. */
  const assign = (message: string): { field: Field | undefined; value: string }[] | undefined => {
    const values = Array.from(
      message.matchAll(FIELDS),
      ([, bracketed, quoted, plain]) => bracketed ?? quoted ?? plain!,
    );
    const least = before.length + (after?.length ?? 0);
    if (after ? values.length < least : values.length !== least) return undefined;
    const tail = values.length - (after?.length ?? 0);
    return values.map((value, index) => ({
      value,
      field: index < before.length ? before[index] : index >= tail ? after?.[index - tail] : undefined,
    }));
  };
  return {
    expressions: scanner.expressions,
    test: (message) => assign(message)?.every(({ field, value }) => field?.condition?.(value) ?? true) ?? false,
    extract: (message) =>
      Object.fromEntries(
        assign(message)?.map(({ field, value }, index) => [`$${field?.name ?? index + 1}`, value]) ?? [],
      ),
  };
}

function readField(scanner: Scanner): Field {
  if (scanner.read(END_OF_FIELD) !== undefined) return { name: undefined, condition: undefined };
  let name: string | undefined;
  let bare = false;
  const condition = readConditions<string>(scanner, () => {
    const found = scanner.read(NAME);
    if (found !== undefined) {
      if (name !== undefined && name !== found) throw scanner.error();
      name = found;
      // A name alone accepts any value.
      if (scanner.read(END_OF_FIELD) !== undefined) {
        bare = true;
        return () => true;
      }
    }
    const operator = scanner.operator();
    const operand = scanner.operand(operator);
    const ordered = operator !== '=' && operator !== '!=';
    return (value) => compare(ordered ? (numberIn(value) ?? value) : numeric(value), operator, operand);
  });
  return { name, condition: bare ? undefined : condition };
}

/** Returns the number of a field. A field is a number if it is written in the shortest form. */
const numeric = (value: string): string | number => {
  const number = numberIn(value);
  return number !== undefined && String(number) === value ? number : value;
};
