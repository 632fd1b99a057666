import { toBase64 } from './bytes.ts';
import { type KeyOf, lazy, ShapeCompiler, shapeOf } from './compile.ts';
import { isObject } from './json-values.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { formatTimestamp } from './timestamps.ts';

/**
 * Encodes a value as JSON text. Only members of the shape are written, so internal data of a handler never reaches a
 * client.
 * @throws TypeError for a value of another shape, which is an error of the handler
 */
export type JsonEncoder = (value: unknown) => string;

/** Reports an output of another shape. */
export function invalidOutput(value: unknown, target: string): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  throw new TypeError(`an output has ${found} where its model has ${target}`);
}

// Characters that JSON must escape; JSON.stringify also escapes lone surrogates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must be escaped
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** Encodes a JSON string. */
export function quote(text: string): string {
  // Below this length, checking the characters is faster than JSON.stringify.
  return text.length < 512 && !ESCAPED.test(text) ? `"${text}"` : JSON.stringify(text);
}

const encodeString: JsonEncoder = (value) =>
  typeof value === 'string' ? quote(value) : invalidOutput(value, 'a string');
const encodeBoolean: JsonEncoder = (value) =>
  value === true ? 'true' : value === false ? 'false' : invalidOutput(value, 'a boolean');
const encodeNumber: JsonEncoder = (value) => {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return invalidOutput(value, 'a number');
  return Number.isFinite(value) ? String(value) : `"${value}"`;
};
const encodeBlob: JsonEncoder = (value) => {
  if (value instanceof Uint8Array) return `"${toBase64(value)}"`;
  return typeof value === 'string'
    ? `"${Buffer.from(value, 'utf8').toString('base64')}"`
    : invalidOutput(value, 'a blob');
};
const encodeDocument: JsonEncoder = (value) => JSON.stringify(value) ?? invalidOutput(value, 'a document');
const encodeJsonValue: JsonEncoder = (value) => quote(JSON.stringify(value) ?? invalidOutput(value, 'a JSON value'));

/** Compiles encoders for the shapes of one service. */
export class JsonEncoders {
  private readonly model: ServiceModel;
  private readonly keyOf: KeyOf;
  private readonly nulls: boolean;
  private readonly compiler: ShapeCompiler<JsonEncoder>;

  /** @param keyOf returns the keys of members; @param nulls whether missing members are written as null */
  constructor(model: ServiceModel, keyOf: KeyOf, nulls = false) {
    this.model = model;
    this.keyOf = keyOf;
    this.nulls = nulls;
    this.compiler = new ShapeCompiler((member) => this.make(member));
  }

  /** Returns the encoder of one use of a shape. */
  of(member: MemberModel): JsonEncoder {
    return this.compiler.compile(member);
  }

  /**
   * Returns an encoder of a structure for the given members only.
   * @param head first text of the object, such as `"__type":"X"`; empty by default
   */
  structure(members: [string, MemberModel][], head = ''): JsonEncoder {
    // Encoders of members are compiled at the first value, because many members are never set and shapes can be
    // recursive.
    const fields = members.map(([name, member]) => ({
      name,
      key: `${JSON.stringify(this.keyOf(name, member))}:`,
      encoder: lazy(() => this.of(member)),
    }));
    const { nulls } = this;
    return (value) => {
      if (!isObject(value)) return invalidOutput(value, 'a structure');
      let out = head;
      for (const { name, key, encoder } of fields) {
        const item = value[name];
        if (item === undefined || item === null) {
          if (nulls) out += out === '' ? `${key}null` : `,${key}null`;
          continue;
        }
        out += out === '' ? key + encoder()(item) : `,${key}${encoder()(item)}`;
      }
      return `{${out}}`;
    };
  }

  private make(member: MemberModel): JsonEncoder {
    if (member.jsonvalue) return encodeJsonValue;
    const shape = shapeOf(this.model, member.shape);
    if (shape.document) return encodeDocument;
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
      case 'float':
      case 'double':
        return encodeNumber;
      case 'blob':
        return encodeBlob;
      case 'timestamp': {
        const format = member.timestampFormat ?? shape.timestampFormat ?? 'unixTimestamp';
        if (format === 'unixTimestamp')
          return (value) =>
            value instanceof Date ? formatTimestamp('unixTimestamp', value) : invalidOutput(value, 'a timestamp');
        return (value) =>
          value instanceof Date ? `"${formatTimestamp(format, value)}"` : invalidOutput(value, 'a timestamp');
      }
    }
  }

  private list(shape: Shape): JsonEncoder {
    const encode = this.of(shape.member!);
    return (value) => {
      if (!Array.isArray(value)) return invalidOutput(value, 'a list');
      let out = '';
      for (let index = 0; index < value.length; index++) {
        const item: unknown = value[index];
        const text = item === null || item === undefined ? 'null' : encode(item);
        out += index === 0 ? text : `,${text}`;
      }
      return `[${out}]`;
    };
  }

  private map(shape: Shape): JsonEncoder {
    const encode = this.of(shape.value!);
    const sparse = shape.sparse === true;
    return (value) => {
      if (!isObject(value)) return invalidOutput(value, 'a map');
      let out = '';
      for (const [key, item] of Object.entries(value)) {
        if (item === undefined || (item === null && !sparse)) continue;
        const text = `${quote(key)}:${item === null ? 'null' : encode(item)}`;
        out += out === '' ? text : `,${text}`;
      }
      return `{${out}}`;
    };
  }
}
