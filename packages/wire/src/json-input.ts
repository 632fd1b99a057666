import { fromBase64 } from './bytes.ts';
import type { DecodedInput, ValidationFailure } from './codec.ts';
import { MAX_DEPTH, ShapeCompiler, setOwn, shapeOf } from './compile.ts';
import { isObject } from './json-values.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { dateOfSeconds, parseIso8601 } from './timestamps.ts';
import { MAX_FAILURES } from './validation.ts';
import { constraintText, printPath, type Step } from './validation-text.ts';

/** Position of a conversion, and its failures. */
interface Walk {
  steps: Step[];
  failures: ValidationFailure[];
}

/** Converts a value, never null, for handlers. Returns undefined after recording a failure. */
type Converter = (value: unknown, walk: Walk) => unknown;

function fail({ steps, failures }: Walk, constraint: 'type' | 'unknown', text: string, value: unknown): undefined {
  if (failures.length >= MAX_FAILURES) return undefined;
  const path = printPath(steps);
  // Messages exclude values, because a value of the wrong type may be a misplaced secret.
  failures.push({
    constraint,
    path,
    members: steps.map((step) => (typeof step === 'object' ? step.key : step)),
    value,
    reason: text,
    message: constraintText(path, text),
  });
  return undefined;
}

/** Returns a converter that accepts values by a test, unchanged. */
const plain =
  (holds: (value: unknown) => boolean, what: string): Converter =>
  (value, walk) =>
    holds(value) ? value : fail(walk, 'type', `Member must be ${what}`, value);

const MAX_INTEGER = 2 ** 31;

const toText = plain((value) => typeof value === 'string', 'a string');
const toBoolean = plain((value) => typeof value === 'boolean', 'a boolean');
const toLong = plain(Number.isInteger, 'a whole number');
const toInteger = plain(
  (value) => Number.isInteger(value) && (value as number) >= -MAX_INTEGER && (value as number) < MAX_INTEGER,
  'a whole number of 32 bits',
);
const toStream = plain(() => false, 'left out: JSON holds no stream of events');

/** Numbers that JSON represents as text. */
const NOT_FINITE: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

const toFloat: Converter = (value, walk) => {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && Object.hasOwn(NOT_FINITE, value)) return NOT_FINITE[value];
  return fail(walk, 'type', 'Member must be a number', value);
};

const toBlob: Converter = (value, walk) => {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined;
  return bytes instanceof Uint8Array ? bytes : fail(walk, 'type', 'Member must be base64', value);
};

const toTimestamp: Converter = (value, walk) => {
  const date =
    typeof value === 'number' ? dateOfSeconds(value) : typeof value === 'string' ? parseIso8601(value) : undefined;
  return date ?? fail(walk, 'type', 'Member must be seconds since the epoch or an ISO 8601 timestamp', value);
};

const TOO_DEEP = `Member must not nest deeper than ${MAX_DEPTH} levels`;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)));

const toDocument: Converter = (value, walk) =>
  isDeeper(value, MAX_DEPTH - walk.steps.length) ? fail(walk, 'type', TOO_DEEP, undefined) : value;

/** Converts the value at `step`. */
function below(walk: Walk, step: Step, convert: Converter, value: unknown): unknown {
  walk.steps.push(step);
  const converted = walk.steps.length > MAX_DEPTH ? fail(walk, 'type', TOO_DEEP, undefined) : convert(value, walk);
  walk.steps.pop();
  return converted;
}

/**
 * Converts JSON from users into inputs of operations. Unlike the decoders of protocols it is independent of a protocol,
 * strict about names and types, and does not modify its argument. Operations are compiled at their first use.
 */
export class JsonInputs {
  private readonly compiler: ShapeCompiler<Converter>;

  constructor(private readonly model: ServiceModel) {
    this.compiler = new ShapeCompiler((member) => this.make(member));
  }

  /** See `ServiceCodec.inputFromJson`. Does not check the constraints of the model. */
  convert(operation: string, json: unknown): DecodedInput {
    const input = this.model.operations[operation]?.input;
    const convert = input ? this.compiler.compile(input) : this.structure({ type: 'structure' });
    const walk: Walk = { steps: [], failures: [] };
    return { input: convert(json, walk), failures: walk.failures };
  }

  private make(member: MemberModel): Converter {
    const shape = shapeOf(this.model, member.shape);
    if (shape.document || member.jsonvalue) return toDocument;
    if (shape.eventstream) return toStream;
    switch (shape.type) {
      case 'structure':
        return this.structure(shape);
      case 'list':
        return this.list(shape);
      case 'map':
        return this.map(shape);
      case 'string':
        return toText;
      case 'boolean':
        return toBoolean;
      case 'integer':
        return toInteger;
      case 'long':
        return toLong;
      case 'float':
      case 'double':
        return toFloat;
      case 'blob':
        return toBlob;
      case 'timestamp':
        return toTimestamp;
    }
  }

  private structure({ members = {} }: Shape): Converter {
    const known = new Map(Object.entries(members).map(([name, member]) => [name, this.compiler.compile(member)]));
    return (value, walk) => {
      if (!isObject(value)) return fail(walk, 'type', 'Member must be an object', value);
      const out: Record<string, unknown> = {};
      for (const [name, item] of Object.entries(value)) {
        const convert = known.get(name);
        if (!convert)
          below(walk, name, (_, at) => fail(at, 'unknown', 'Member must be one that the operation has', item), item);
        else if (item !== null && item !== undefined) out[name] = below(walk, name, convert, item);
      }
      return out;
    };
  }

  private list({ member }: Shape): Converter {
    const convert = this.compiler.compile(member!);
    return (value, walk) => {
      if (!Array.isArray(value)) return fail(walk, 'type', 'Member must be an array', value);
      // Nulls remain as elements of a sparse list. Otherwise validation rejects them.
      return value.map((item: unknown, index) => (item === null ? null : below(walk, index, convert, item)));
    };
  }

  private map({ value: entry }: Shape): Converter {
    const convert = this.compiler.compile(entry!);
    return (value, walk) => {
      if (!isObject(value)) return fail(walk, 'type', 'Member must be an object', value);
      const out: Record<string, unknown> = {};
      for (const [key, item] of Object.entries(value))
        setOwn(out, key, item === null ? null : below(walk, { key }, convert, item));
      return out;
    };
  }
}
