import type { MemberModel, Protocol, ServiceModel, Shape } from '../../src/index.ts';
import type { Random } from './random.ts';

/** An input to encode, valid or not. */
export interface Body {
  model: ServiceModel;
  input: unknown;
  root: MemberModel | undefined;
  random: Random;
  /** Whether to insert deep nesting. */
  deep: boolean;
  /** Whether to insert a duplicate name. */
  twice: boolean;
}

const DEEP = 3000;

/** Returns a value as text, with replacement characters for invalid UTF-8. */
export const textOf = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toString();

const shapeOf = (model: ServiceModel, member: MemberModel | undefined): Shape | undefined =>
  member && model.shapes[member.shape];

const isObject = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' && value !== null;

/** Encodes as JSON. */
export function jsonBody({ input, deep, twice }: Body): Buffer {
  let text = JSON.stringify(input) ?? '';
  if (deep) text = text.replace('{', `{"a":${'['.repeat(DEEP)}${']'.repeat(DEEP)},`);
  if (twice) text = text.replace('{', '{"Name":1,"Name":2,');
  return Buffer.from(text);
}

/** Encodes as a form of awsQuery or ec2Query. */
export function formBody({ model, input, root, deep, twice }: Body, protocol: Protocol, action: string): Buffer {
  const form = new URLSearchParams({ Action: action, Version: model.metadata.apiVersion });
  const ec2 = protocol === 'ec2Query';
  const add = (value: unknown, member: MemberModel | undefined, prefix: string): void => {
    if (!isObject(value)) {
      form.append(prefix, textOf(value));
      return;
    }
    const shape = shapeOf(model, member);
    const dot = prefix === '' ? '' : `${prefix}.`;
    if (Array.isArray(value)) {
      const flat = ec2 || shape?.flattened || member?.flattened;
      const between = flat ? '' : `${shape?.member?.locationName ?? 'member'}.`;
      for (const [index, one] of value.entries()) add(one, shape?.member, `${dot}${between}${index + 1}`);
    } else if (shape?.type === 'map') {
      const between = shape.flattened || member?.flattened ? '' : 'entry.';
      for (const [index, [key, one]] of Object.entries(value).entries()) {
        form.append(`${dot}${between}${index + 1}.${shape.key?.locationName ?? 'key'}`, key);
        add(one, shape.value, `${dot}${between}${index + 1}.${shape.value?.locationName ?? 'value'}`);
      }
    } else
      for (const [key, one] of Object.entries(value)) {
        const of = shape?.members && Object.hasOwn(shape.members, key) ? shape.members[key] : undefined;
        const name = of?.queryName ?? of?.locationName ?? key;
        add(one, of, dot + (ec2 && !of?.queryName ? name.slice(0, 1).toUpperCase() + name.slice(1) : name));
      }
  };
  add(input, root, '');
  const first = [...form.keys()][2];
  if (deep) form.append(`${first ?? 'a'}${'.1'.repeat(DEEP)}`, 'a');
  if (twice) form.append(first ?? 'Action', 'b');
  return Buffer.from(form.toString());
}

/** Encodes as an XML document. */
export function xmlBody({ model, input, root, deep, twice }: Body): Buffer {
  const write = (value: unknown, member: MemberModel | undefined, name: string): string => {
    const shape = shapeOf(model, member);
    if (!isObject(value)) return element(name, textOf(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
    if (Array.isArray(value)) {
      if (shape?.flattened || member?.flattened) return value.map((one) => write(one, shape?.member, name)).join('');
      const inner = shape?.member?.locationName ?? 'member';
      return element(name, value.map((one) => write(one, shape?.member, inner)).join(''));
    }
    if (shape?.type === 'map') {
      const entries = Object.entries(value).map(([key, one]) =>
        element('entry', write(key, shape.key, 'key') + write(one, shape.value, 'value')),
      );
      return element(name, entries.join(''));
    }
    const children = Object.entries(value).map(([key, one]) => {
      const of = shape?.members && Object.hasOwn(shape.members, key) ? shape.members[key] : undefined;
      return of?.location ? '' : write(one, of, of?.locationName ?? key);
    });
    return element(name, children.join(''));
  };
  const shape = shapeOf(model, root);
  const payload = shape?.payload;
  const whole = payload !== undefined && isObject(input) && !Array.isArray(input) && Object.hasOwn(input, payload);
  const member = whole ? shape?.members?.[payload] : root;
  let text = write(whole ? input[payload] : input, member, member?.locationName ?? member?.shape ?? 'Input');
  if (deep) text = text.replace('>', `>${'<a>'.repeat(DEEP)}${'</a>'.repeat(DEEP)}`);
  if (twice) text = text.replace('>', '><Name>1</Name><Name>2</Name>');
  return Buffer.from(text);
}

const element = (name: string, inner: string): string => `<${name}>${inner}</${name}>`;

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6 } as const;
const BREAK = Buffer.from([0xff]);

/** Encodes as CBOR with definite and indefinite lengths, and numbers in longer forms than necessary. */
export function cborBody({ model, input, root, random, deep, twice }: Body): Buffer {
  const head = (major: number, argument: number): Buffer => {
    const type = major << 5;
    const least = argument < 24 ? 0 : argument < 2 ** 8 ? 1 : argument < 2 ** 16 ? 2 : argument < 2 ** 32 ? 4 : 8;
    const size = random.once(8) ? random.of([1, 2, 4, 8].filter((one) => one >= least)) : least;
    if (size === 0) return Buffer.from([type | argument]);
    const bytes = Buffer.alloc(1 + size);
    bytes[0] = type | (24 + Math.log2(size));
    if (size === 8) bytes.writeBigUInt64BE(BigInt(argument), 1);
    else bytes.writeUIntBE(argument, 1, size);
    return bytes;
  };
  const some = (major: number, length: number, parts: readonly Buffer[]): Buffer =>
    random.once(4)
      ? Buffer.concat([Buffer.from([(major << 5) | 31]), ...parts, BREAK])
      : Buffer.concat([head(major, length), ...parts]);
  const bytes = (major: number, value: Buffer): Buffer => {
    const whole = Buffer.concat([head(major, value.length), value]);
    return random.once(8) ? Buffer.concat([Buffer.from([(major << 5) | 31]), whole, BREAK]) : whole;
  };
  const number = (value: number): Buffer => {
    if (Number.isSafeInteger(value) && !random.once(8))
      return value < 0 ? head(MAJOR.negative, -1 - value) : head(MAJOR.unsigned, value);
    const float = Buffer.alloc(9);
    float[0] = 0xfb;
    float.writeDoubleBE(value, 1);
    return float;
  };
  const write = (value: unknown, member: MemberModel | undefined): Buffer => {
    const shape = shapeOf(model, member);
    if (typeof value === 'number')
      return shape?.type === 'timestamp' ? Buffer.concat([head(MAJOR.tag, 1), number(value)]) : number(value);
    if (typeof value === 'string')
      return shape?.type === 'blob'
        ? bytes(MAJOR.bytes, Buffer.from(value, 'base64'))
        : bytes(MAJOR.text, Buffer.from(value));
    if (Array.isArray(value))
      return some(
        MAJOR.list,
        value.length,
        value.map((one) => write(one, shape?.member)),
      );
    if (!isObject(value)) return Buffer.from([value === true ? 0xf5 : value === false ? 0xf4 : 0xf6]);
    const entries = Object.entries(value).map(([key, one]) => {
      const of = shape?.members && Object.hasOwn(shape.members, key) ? shape.members[key] : shape?.value;
      return Buffer.concat([bytes(MAJOR.text, Buffer.from(key)), write(one, of)]);
    });
    if (member === root && deep)
      entries.push(Buffer.concat([bytes(MAJOR.text, Buffer.from('a')), Buffer.alloc(DEEP, 0x81), Buffer.from([0xf6])]));
    if (member === root && twice && entries[0]) entries.push(entries[0]);
    return some(MAJOR.map, entries.length, entries);
  };
  return write(input, root);
}
