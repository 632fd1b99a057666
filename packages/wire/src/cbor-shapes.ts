import { toBase64 } from './bytes.ts';
import { CborError, readCbor } from './cbor-reader.ts';
import type { CborWriter, TimeUnit } from './cbor-writer.ts';
import { keyByName, lazy, ShapeCompiler, setOwn, shapeOf } from './compile.ts';
import { type JsonDecoder, JsonDecoders, type LeafDecoder, serializationException, unexpected } from './json-decode.ts';
import { invalidOutput } from './json-encode.ts';
import { isObject } from './json-values.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { formatTimestamp } from './timestamps.ts';

const decodeBlob: JsonDecoder = (value) => (value instanceof Uint8Array ? value : refuse(value, 'a Blob'));
const decodeTimestamp: JsonDecoder = (value) =>
  value instanceof Date ? value : refuse(value, 'milliseconds since epoch');

/** Rejects a value of the wrong type. Byte strings and times are objects in JavaScript but not in CBOR. */
function refuse(value: unknown, target: string): never {
  if (value instanceof Uint8Array) throw serializationException(`BYTE_STRING_VALUE can not be converted to ${target}`);
  if (value instanceof Date) throw serializationException(`TIMESTAMP_VALUE can not be converted to ${target}`);
  return unexpected(value, target);
}

/** Documents are JSON: byte strings become base64, times ISO 8601. */
const decodeDocument: JsonDecoder = (value, depth) => {
  if (value instanceof Uint8Array) return toBase64(value);
  if (value instanceof Date) return formatTimestamp('iso8601', value);
  if (Array.isArray(value)) return value.map((item) => decodeDocument(item, depth));
  if (typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(out, key, decodeDocument(item, depth));
  return out;
};

/** Decoders for values from `readCbor`: as for JSON, but with byte strings, times and all numbers unchanged. */
export function cborDecoders(model: ServiceModel): JsonDecoders {
  const leaf: LeafDecoder = (_member, shape) => {
    if (shape.document) return decodeDocument;
    if (shape.type === 'blob') return decodeBlob;
    return shape.type === 'timestamp' ? decodeTimestamp : undefined;
  };
  const isMap = (value: object | null): boolean =>
    !(Array.isArray(value) || value instanceof Uint8Array || value instanceof Date);
  return new JsonDecoders(model, keyByName, leaf, isMap);
}

/** Parses CBOR. @throws AwsError SerializationException for malformed bytes */
export function parseCbor(bytes: Uint8Array, times: TimeUnit): unknown {
  try {
    return readCbor(bytes, times);
  } catch (error) {
    if (error instanceof CborError) throw serializationException('');
    throw error;
  }
}

/**
 * Writes a value of its shape.
 * @throws TypeError for a value of another shape, which is an error of the handler
 */
export type CborEncoder = (value: unknown, out: CborWriter) => void;

const encodeString: CborEncoder = (value, out) =>
  typeof value === 'string' ? out.text(value) : invalidOutput(value, 'a string');
const encodeBoolean: CborEncoder = (value, out) =>
  typeof value === 'boolean' ? out.boolean(value) : invalidOutput(value, 'a boolean');
const encodeInteger: CborEncoder = (value, out) => {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return invalidOutput(value, 'a whole number');
  return out.integer(number);
};
const encodeFloat: CborEncoder = (value, out) =>
  typeof value === 'number' ? out.float(value) : invalidOutput(value, 'a number');
const encodeBlob: CborEncoder = (value, out) => {
  if (value instanceof Uint8Array) return out.blob(value);
  return typeof value === 'string' ? out.blob(Buffer.from(value, 'utf8')) : invalidOutput(value, 'a blob');
};
const encodeTimestamp: CborEncoder = (value, out) =>
  value instanceof Date ? out.timestamp(value) : invalidOutput(value, 'a timestamp');

/** Writes documents. Smithy excludes them from CBOR, so any JSON value is written. */
const encodeDocument: CborEncoder = (value, out) => {
  if (value === null || value === undefined) out.null();
  else if (typeof value === 'string') out.text(value);
  else if (typeof value === 'boolean') out.boolean(value);
  else if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) out.integer(value);
    else out.float(value);
  } else if (Array.isArray(value)) {
    out.array(value.length);
    for (const item of value) encodeDocument(item, out);
  } else if (typeof value === 'object') {
    out.map();
    for (const [key, item] of Object.entries(value)) {
      out.text(key);
      encodeDocument(item, out);
    }
    out.end();
  } else invalidOutput(value, 'a document');
};

/** Compiles encoders for the shapes of one service. */
export class CborEncoders {
  private readonly model: ServiceModel;
  private readonly compiler: ShapeCompiler<CborEncoder>;

  constructor(model: ServiceModel) {
    this.model = model;
    this.compiler = new ShapeCompiler((member) => this.make(member));
  }

  /** Returns the encoder of one use of a shape. */
  of(member: MemberModel): CborEncoder {
    return this.compiler.compile(member);
  }

  /**
   * Returns an encoder of a structure that writes only the given members.
   * @param type written as `__type` before them, for errors
   */
  structure(members: [string, MemberModel][], type?: string): CborEncoder {
    const fields = members.map(([name, member]) => ({
      name,
      encoder: lazy(() => this.of(member)),
    }));
    return (value, out) => {
      if (!isObject(value)) return invalidOutput(value, 'a structure');
      out.map();
      if (type !== undefined) {
        out.text('__type');
        out.text(type);
      }
      for (const { name, encoder } of fields) {
        const item = value[name];
        if (item === undefined || item === null) continue;
        out.text(name);
        encoder()(item, out);
      }
      out.end();
    };
  }

  private make(member: MemberModel): CborEncoder {
    const shape = shapeOf(this.model, member.shape);
    if (shape.document || member.jsonvalue) return encodeDocument;
    switch (shape.type) {
      case 'structure':
        return this.structure(Object.entries(shape.members ?? {}));
      case 'list':
        return this.list(shape);
      case 'map':
        return this.map(shape);
      case 'string':
        return encodeString;
      case 'boolean':
        return encodeBoolean;
      case 'integer':
      case 'long':
        return encodeInteger;
      case 'float':
      case 'double':
        return encodeFloat;
      case 'blob':
        return encodeBlob;
      case 'timestamp':
        return encodeTimestamp;
    }
  }

  private list(shape: Shape): CborEncoder {
    const encode = this.of(shape.member!);
    return (value, out) => {
      if (!Array.isArray(value)) return invalidOutput(value, 'a list');
      out.array(value.length);
      for (const item of value as unknown[]) {
        if (item === null || item === undefined) out.null();
        else encode(item, out);
      }
    };
  }

  private map(shape: Shape): CborEncoder {
    const encode = this.of(shape.value!);
    const sparse = shape.sparse === true;
    return (value, out) => {
      if (!isObject(value)) return invalidOutput(value, 'a map');
      out.map();
      for (const [key, item] of Object.entries(value)) {
        if (item === undefined || (item === null && !sparse)) continue;
        out.text(key);
        if (item === null) out.null();
        else encode(item, out);
      }
      out.end();
    };
  }
}
