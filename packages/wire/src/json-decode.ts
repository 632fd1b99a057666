import { fromBase64 } from './bytes.ts';
import { type KeyOf, MAX_DEPTH, ShapeCompiler, setOwn, shapeOf } from './compile.ts';
import { type AwsError, awsError } from './errors.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { dateOfSeconds, parseTimestamp } from './timestamps.ts';
import { MAX_SHOWN } from './validation-text.ts';

/**
 * Decodes a parsed JSON value, never null, into the value for handlers. Modifies it in place where possible.
 * @throws AwsError SerializationException
 */
export type JsonDecoder = (value: unknown, depth: number) => unknown;

/** Error of AWS's JSON services for every malformed body. An empty message is omitted. */
export function serializationException(message: string): AwsError {
  return awsError('SerializationException', message, { status: 400 });
}

/** Returns the name of a JSON token in AWS's parser. */
function tokenOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'STRING_VALUE';
    case 'number':
      return 'NUMBER_VALUE';
    default:
      return value === true ? 'TRUE_VALUE' : 'FALSE_VALUE';
  }
}

/**
 * Rejects a value of the wrong type with the message of AWS's JSON services.
 * @param target expected type of a scalar with its article (`a String`), or the complete message for a collection
 */
export function unexpected(value: unknown, target: string): never {
  if (Array.isArray(value)) throw serializationException('Start of list found where not expected');
  if (typeof value === 'object') throw serializationException('Start of structure or map found where not expected.');
  if (target.startsWith('Expected')) throw serializationException(target);
  throw serializationException(`${tokenOf(value)} can not be converted to ${target}`);
}

const tooDeep = (): AwsError => serializationException('');

const decodeString: JsonDecoder = (value) => (typeof value === 'string' ? value : unexpected(value, 'a String'));

const decodeBoolean: JsonDecoder = (value) => {
  if (typeof value === 'boolean') return value;
  // AWS's parser also accepts booleans in strings.
  if (typeof value !== 'string') return unexpected(value, 'a Boolean');
  const text = value.toLowerCase();
  if (text !== 'true' && text !== 'false')
    throw serializationException(`'${value}' can not be converted to an Boolean`);
  return text === 'true';
};

/** Decodes integers. AWS truncates decimals and clamps numbers to the range of the type. */
const integerDecoder =
  (target: string, min: number, max: number): JsonDecoder =>
  (value) => {
    if (typeof value !== 'number') return unexpected(value, target);
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    if (Number.isNaN(value)) return unexpected(value, target);
    return Math.min(Math.max(Math.trunc(value), min), max);
  };

const decodeInteger = integerDecoder('an Integer', -(2 ** 31), 2 ** 31 - 1);
const decodeLong = integerDecoder('a Long', -(2 ** 63), 2 ** 63);

const floatDecoder =
  (target: string): JsonDecoder =>
  (value) => {
    if (typeof value === 'number') return value;
    if (value === 'NaN') return Number.NaN;
    if (value === 'Infinity') return Number.POSITIVE_INFINITY;
    if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
    return unexpected(value, target);
  };

const decodeFloat = floatDecoder('a Float');
const decodeDouble = floatDecoder('a Double');

const decodeBlob: JsonDecoder = (value) => {
  if (typeof value !== 'string') return unexpected(value, 'a Blob');
  const bytes = fromBase64(value);
  if (typeof bytes === 'string') throw serializationException(`'${value}' can not be converted to a Blob: ${bytes}`);
  return bytes;
};

function timestampDecoder(format: MemberModel['timestampFormat']): JsonDecoder {
  const target = 'milliseconds since epoch';
  return (value) => {
    const date =
      typeof value === 'number'
        ? dateOfSeconds(value)
        : typeof value === 'string' && format && format !== 'unixTimestamp'
          ? parseTimestamp(format, value)
          : undefined;
    return date ?? unexpected(value, target);
  };
}

/** Documents are any JSON. Only their depth is limited. */
const decodeDocument: JsonDecoder = (value, depth) => {
  checkDepth(value, depth);
  return value;
};

function checkDepth(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) for (const item of value) checkDepth(item, depth + 1);
  else for (const key in value) checkDepth((value as Record<string, unknown>)[key], depth + 1);
}

/** Decodes a member whose JSON value is sent as a string. */
const decodeJsonValue: JsonDecoder = (value, depth) => {
  if (typeof value !== 'string') return unexpected(value, 'a String');
  const parsed = parseBody(value);
  checkDepth(parsed, depth);
  return parsed;
};

/** Parses JSON. @throws AwsError SerializationException without a message, as in AWS */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw serializationException('');
  }
}

/** Decoders of scalars in another format. */
export type LeafDecoder = (member: MemberModel, shape: Shape) => JsonDecoder | undefined;

const isJsonObject = (value: object | null): boolean => !Array.isArray(value);

/** Compiles decoders for the shapes of one service. */
export class JsonDecoders {
  private readonly model: ServiceModel;
  private readonly keyOf: KeyOf;
  private readonly leaf: LeafDecoder;
  private readonly isMap: (value: object | null) => boolean;
  private readonly compiler: ShapeCompiler<JsonDecoder>;

  /**
   * @param keyOf returns the keys of members
   * @param leaf decoders of shapes that differ from JSON; undefined for those of JSON
   * @param isMap whether an object represents a structure or map
   */
  constructor(model: ServiceModel, keyOf: KeyOf, leaf: LeafDecoder = () => undefined, isMap = isJsonObject) {
    this.model = model;
    this.keyOf = keyOf;
    this.leaf = leaf;
    this.isMap = isMap;
    this.compiler = new ShapeCompiler((member) => this.make(member));
  }

  /** Returns the decoder of one use of a shape. */
  of(member: MemberModel): JsonDecoder {
    return this.compiler.compile(member);
  }

  /** Returns a decoder of a structure for the given members only. */
  structure(members: [string, MemberModel][]): JsonDecoder {
    const known = new Map(
      members.map(([name, member]) => [this.keyOf(name, member), { name, decode: this.of(member) }]),
    );
    const inPlace = [...known].every(([wire, { name }]) => wire === name);
    return (value, depth) => {
      if (typeof value !== 'object' || !this.isMap(value)) return unexpected(value, 'Expected null');
      if (depth > MAX_DEPTH) throw tooDeep();
      const source = value as Record<string, unknown>;
      if (inPlace && decodeInPlace(source, known, depth)) return source;
      const out: Record<string, unknown> = {};
      for (const [wire, { name, decode }] of known) {
        const item = Object.hasOwn(source, wire) ? source[wire] : undefined;
        // Members before the point at which the first pass stopped are decoded already.
        if (item !== undefined && item !== null) out[name] = inPlace ? item : decode(item, depth + 1);
      }
      return out;
    };
  }

  private make(member: MemberModel): JsonDecoder {
    if (member.jsonvalue) return decodeJsonValue;
    const shape = shapeOf(this.model, member.shape);
    const leaf = this.leaf(member, shape);
    if (leaf) return leaf;
    if (shape.document) return decodeDocument;
    switch (shape.type) {
      case 'structure':
        return this.structure(Object.entries(shape.members ?? {}));
      case 'list':
        return this.list(shape);
      case 'map':
        return this.map(shape);
      case 'string':
        return decodeString;
      case 'boolean':
        return decodeBoolean;
      case 'integer':
        return decodeInteger;
      case 'long':
        return decodeLong;
      case 'float':
        return decodeFloat;
      case 'double':
        return decodeDouble;
      case 'blob':
        return decodeBlob;
      case 'timestamp':
        return timestampDecoder(member.timestampFormat ?? shape.timestampFormat);
    }
  }

  private list(shape: Shape): JsonDecoder {
    const decode = this.of(shape.member!);
    const most = Math.max((shape.max ?? Number.POSITIVE_INFINITY) + 1, MAX_SHOWN);
    return (value, depth) => {
      if (!Array.isArray(value)) return unexpected(value, 'Expected list or null');
      if (depth > MAX_DEPTH) throw tooDeep();
      const list = value as unknown[];
      // Validation rejects it by its length, so further elements would be decoded and validated in vain.
      if (list.length > most) list.length = most;
      for (let index = 0; index < list.length; index++) {
        const item = list[index];
        // Nulls remain as elements of a sparse list. Otherwise validation rejects them.
        if (item !== null) list[index] = decode(item, depth + 1);
      }
      return list;
    };
  }

  private map(shape: Shape): JsonDecoder {
    const decode = this.of(shape.value!);
    return (value, depth) => {
      if (typeof value !== 'object' || !this.isMap(value)) return unexpected(value, 'Expected map or null');
      if (depth > MAX_DEPTH) throw tooDeep();
      const map = value as Record<string, unknown>;
      for (const key in map) {
        const item = map[key];
        if (item === null) continue;
        const decoded = decode(item, depth + 1);
        if (decoded !== item) setOwn(map, key, decoded);
      }
      return map;
    };
  }
}

/**
 * Decodes known members in place. Returns false if a null or an unknown member must be removed; all known ones are
 * decoded then.
 */
function decodeInPlace(
  source: Record<string, unknown>,
  known: Map<string, { name: string; decode: JsonDecoder }>,
  depth: number,
): boolean {
  let clean = true;
  for (const key in source) {
    const member = known.get(key);
    const item = source[key];
    if (member === undefined || item === null) {
      clean = false;
      continue;
    }
    const decoded = member.decode(item, depth + 1);
    if (decoded !== item) source[key] = decoded;
  }
  return clean;
}
