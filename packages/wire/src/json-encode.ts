import { toBase64 } from './bytes.ts';
import { type KeyOf, lazy, ShapeCompiler, shapeOf } from './compile.ts';
import { isObject } from './json-values.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { formatTimestamp } from './timestamps.ts';

/**
 * Writes a value as JSON text. Only the members of the shape are written, so what a handler keeps for itself beside
 * them never reaches a client.
 * @throws TypeError where the value is not of its shape: an error of the handler, never of the client
 */
export type JsonEncoder = (value: unknown) => string;

/** Reports an output that is not of its shape. */
export function misfit(value: unknown, target: string): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  throw new TypeError(`an output has ${found} where its model has ${target}`);
}

// Characters that JSON has to escape; lone surrogates are escaped by JSON.stringify too.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what has to be escaped
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** A JSON string. */
export function quote(text: string): string {
  // Below this length a look at the characters is faster than JSON.stringify.
  return text.length < 512 && !ESCAPED.test(text) ? `"${text}"` : JSON.stringify(text);
}

const encodeString: JsonEncoder = (value) => (typeof value === 'string' ? quote(value) : misfit(value, 'a string'));
const encodeBoolean: JsonEncoder = (value) =>
  value === true ? 'true' : value === false ? 'false' : misfit(value, 'a boolean');
const encodeNumber: JsonEncoder = (value) => {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return misfit(value, 'a number');
  return Number.isFinite(value) ? String(value) : `"${value}"`;
};
const encodeBlob: JsonEncoder = (value) => {
  if (value instanceof Uint8Array) return `"${toBase64(value)}"`;
  return typeof value === 'string' ? `"${Buffer.from(value, 'utf8').toString('base64')}"` : misfit(value, 'a blob');
};
const encodeDocument: JsonEncoder = (value) => JSON.stringify(value) ?? misfit(value, 'a document');
const encodeJsonValue: JsonEncoder = (value) => quote(JSON.stringify(value) ?? misfit(value, 'a JSON value'));

/** Compiles encoders for the shapes of one service. */
export class JsonEncoders {
  private readonly model: ServiceModel;
  private readonly keyOf: KeyOf;
  private readonly nulls: boolean;
  private readonly compiler: ShapeCompiler<JsonEncoder>;

  /** @param keyOf how members are called; @param nulls whether members without a value are written as null */
  constructor(model: ServiceModel, keyOf: KeyOf, nulls = false) {
    this.model = model;
    this.keyOf = keyOf;
    this.nulls = nulls;
    this.compiler = new ShapeCompiler((member) => this.make(member));
  }

  /** The encoder of one use of a shape. */
  of(member: MemberModel): JsonEncoder {
    return this.compiler.compile(member);
  }

  /**
   * An encoder of a structure that writes only the given members.
   * @param head what comes first in the object, such as `"__type":"X"`; by default nothing
   */
  structure(members: [string, MemberModel][], head = ''): JsonEncoder {
    // Encoders of members are found at the first value: many members are never set, and shapes can be recursive.
    const fields = members.map(([name, member]) => ({
      name,
      key: `${JSON.stringify(this.keyOf(name, member))}:`,
      encoder: lazy(() => this.of(member)),
    }));
    const { nulls } = this;
    return (value) => {
      if (!isObject(value)) return misfit(value, 'a structure');
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
            value instanceof Date ? formatTimestamp('unixTimestamp', value) : misfit(value, 'a timestamp');
        return (value) =>
          value instanceof Date ? `"${formatTimestamp(format, value)}"` : misfit(value, 'a timestamp');
      }
    }
  }

  private list(shape: Shape): JsonEncoder {
    const encode = this.of(shape.member!);
    return (value) => {
      if (!Array.isArray(value)) return misfit(value, 'a list');
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
      if (!isObject(value)) return misfit(value, 'a map');
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
