import type { MemberModel, Protocol, ServiceModel, Shape } from '../../src/index.ts';
import { Pattern } from '../../src/pattern.ts';
import { mutate } from './bytes.ts';
import { type Body, cborBody, formBody, jsonBody, textOf, xmlBody } from './encodings.ts';
import type { Random } from './random.ts';
import { entryNames, type Tally } from './tally.ts';

/** Replacements for a value of any type. */
const ODD: readonly unknown[] = [
  ...[null, true, '', 0, -1, 1.5, 1e308, 2 ** 53, -0, [], {}, [[]], [null], { __proto__: null, a: 1 }],
  ...['\u0000', '\ud800', 'x'.repeat(5000), '../../etc', '%00', '*', 'arn:aws:::', '1e999', 'NaN', '{', '<a>'],
];
const EXTRA = ['__proto__', 'constructor', 'Extra', ''];
const TYPES = [
  ...['application/json', 'application/x-amz-json-1.1', 'application/x-www-form-urlencoded', 'application/cbor'],
  ...['text/plain', 'application/xml', ';', ''],
];
const TARGETS = [
  ...['file:///etc/passwd', 'http://localhost/', '*', '//', '/%', '/%ff', '/../..', '/?', '/?Action', '/\u00e9'],
  ...['/_emulator', '/?&&==&'],
];
const PARAMETERS = ['Action=X', 'a=%', '=', 'max-keys=x', 'versionId='];
const METHODS = ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const HEADERS = [
  ...['host', 'authorization', 'x-amz-target', 'x-amz-date', 'content-md5', 'range', 'x-amz-copy-source'],
  ...['content-encoding', 'x-amz-content-sha256', 'smithy-protocol', 'origin'],
];
const HEADER_VALUES = ['', 'gzip', 'a, b', 'x'.repeat(3000), 'bytes=5-1', '/a/b?c', 'rpc-v2-cbor', '\u00ff'];

const STRINGS = [
  ...['a', 'name-1', '123456789012', 'arn:aws:sqs:us-east-1:123456789012:q', '{}', '2024-01-01T00:00:00Z', 'AQ=='],
];
/** Extreme values of numeric members. */
export const EXTREMES = [1e20, 2 ** 31, -1];
/** Texts, one of which matches most patterns. */
const SAMPLES = [
  ...STRINGS,
  'Sample1',
  '1',
  'a-0001',
  'arn:aws:iam::123456789012:role/a',
  'a'.repeat(32),
  '0'.repeat(36),
];
const isNumeric = ({ type }: Shape): boolean => ['integer', 'long', 'float', 'double'].includes(type);

/** Depth below which members and elements of recursive shapes are arbitrary values. */
const MAX_DEPTH = 6;

/** Changes that a grammar makes besides changing bytes, as counted. */
export const GRAMMAR_MUTATIONS = [
  ...['member left out', 'deep', 'twice', 'as bytes'],
  ...entryNames({ ODD, EXTRA, TYPES, TARGETS, PARAMETERS, METHODS, HEADERS, HEADER_VALUES }),
];

/** A request to send. */
export interface BuiltRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Creates requests of a service's operations from its model in a protocol, and breaks them. */
export class Grammar {
  private last: Uint8Array = new Uint8Array();

  constructor(
    private readonly model: ServiceModel,
    private readonly random: Random,
    private readonly tally: Tally,
  ) {}

  /** Returns a request of an operation. Most are broken in one or several ways. */
  broken(operation: string, protocol: Protocol): BuiltRequest {
    const { input } = this.model.operations[operation]!;
    const value = input ? this.value(input, 0) : {};
    const built = this.encode(protocol, operation, this.random.once(4) ? value : this.brokenValue(value), true);
    const request = this.spoilt(built);
    this.last = built.body;
    return request;
  }

  /** Returns the numeric members of an operation's input as paths of names; elements and values of maps are `[]`. */
  numbers(operation: string): string[][] {
    const found: string[][] = [];
    const walk = (member: MemberModel, path: string[], within: readonly string[]): void => {
      const shape = this.model.shapes[member.shape]!;
      if (within.includes(member.shape)) return;
      if (isNumeric(shape)) found.push(path);
      const inside = [...within, member.shape];
      for (const [name, one] of Object.entries(shape.members ?? {})) walk(one, [...path, name], inside);
      for (const one of [shape.member, shape.value]) if (one) walk(one, [...path, '[]'], inside);
    };
    const { input } = this.model.operations[operation]!;
    if (input) walk(input, [], []);
    return found;
  }

  /** Returns a request that follows the model, with a value in one member. */
  extreme(operation: string, protocol: Protocol, path: readonly string[], value: unknown): BuiltRequest {
    const { input } = this.model.operations[operation]!;
    return this.encode(protocol, operation, this.valid(input!, path, value, 0));
  }

  /** Returns a value that follows the model as far as possible, with another value at a path. */
  private valid(member: MemberModel, path: readonly string[] | undefined, value: unknown, depth: number): unknown {
    if (path?.length === 0) return value;
    const shape = this.model.shapes[member.shape]!;
    const rest = path?.slice(1);
    switch (shape.type) {
      case 'structure':
        return depth > MAX_DEPTH
          ? {}
          : Object.fromEntries(
              Object.entries(shape.members ?? {})
                .filter(([name]) => name === path?.[0] || shape.required?.includes(name))
                .map(([name, one]) => [name, this.valid(one, name === path?.[0] ? rest : undefined, value, depth + 1)]),
            );
      case 'list':
        return Array.from({ length: Math.max(rest ? 1 : 0, shape.min ?? 0) }, () =>
          this.valid(shape.member!, rest, value, depth + 1),
        );
      case 'map':
        return { [this.text(this.model.shapes[shape.key!.shape]!)]: this.valid(shape.value!, rest, value, depth + 1) };
      case 'boolean':
        return true;
      case 'integer':
      case 'long':
      case 'float':
      case 'double':
        return Math.max(shape.min ?? 1, 1);
      case 'timestamp':
        return 1_700_000_000;
      case 'blob':
        return 'AQ==';
      default:
        return this.text(shape);
    }
  }

  /** Returns a text that satisfies the constraints of a shape, if one of the samples does. */
  private text({ enum: values, pattern, min = 0, max = Number.POSITIVE_INFINITY }: Shape): string {
    if (values?.length) return values[0]!;
    const compiled = pattern === undefined ? undefined : new Pattern(pattern);
    const fits = (text: string): boolean =>
      text.length >= min && text.length <= max && (compiled?.matches(text) ?? true);
    return SAMPLES.find(fits) ?? 'a'.repeat(Math.max(1, Math.min(min, 5000)));
  }

  private odd(): unknown {
    return this.tally.next('ODD', ODD);
  }

  /** Returns a value that mostly matches the shape. */
  private value(member: MemberModel, depth: number): unknown {
    const { random } = this;
    const shape = this.model.shapes[member.shape];
    if (!shape || depth > MAX_DEPTH || random.once(60)) return this.odd();
    switch (shape.type) {
      case 'structure':
        return Object.fromEntries(
          Object.entries(shape.members ?? {})
            .filter(([name]) => shape.required?.includes(name) || random.once(3))
            .map(([name, one]) => [name, this.value(one, depth + 1)]),
        );
      case 'list':
        return Array.from({ length: random.below(3) }, () => this.value(shape.member!, depth + 1));
      case 'map':
        return { [random.of(STRINGS)]: this.value(shape.value!, depth + 1) };
      case 'boolean':
        return random.once(2);
      case 'integer':
      case 'long':
      case 'float':
      case 'double':
        return random.of([0, 1, 10, 3600, ...EXTREMES]);
      case 'timestamp':
        return random.of([1_700_000_000, '2024-01-01T00:00:00Z', 1e18]);
      default:
        return random.of(shape.enum?.length ? [...shape.enum, 'a'] : STRINGS);
    }
  }

  /** Returns a copy with one value replaced, removed or added. */
  private brokenValue(value: unknown): unknown {
    const { random, tally } = this;
    if (typeof value !== 'object' || value === null || random.once(3)) return this.odd();
    const keys = Object.keys(value);
    if (keys.length === 0) return this.odd();
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    const key = random.of(keys);
    if (random.once(6)) {
      tally.add('member left out');
      if (Array.isArray(copy)) copy.splice(Number(key), 1);
      else delete copy[key];
    } else copy[key] = this.brokenValue(copy[key]);
    // As an own property with any name.
    if (!Array.isArray(value) && random.once(6))
      Object.defineProperty(copy, tally.next('EXTRA', EXTRA), { value: this.odd(), enumerable: true });
    return copy;
  }

  private encode(protocol: Protocol, name: string, input: unknown, mayBreak = false): BuiltRequest {
    const { random, model } = this;
    const { metadata } = model;
    const operation = model.operations[name]!;
    const authorization = `AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/${metadata.signingName}/aws4_request, SignedHeaders=host, Signature=0`;
    const whole = { deep: mayBreak && random.once(15), twice: mayBreak && random.once(15) };
    const body: Body = { model, input, root: operation.input, random, ...whole };
    const post = (type: string, bytes: Buffer, headers: Record<string, string> = {}, target = '/'): BuiltRequest => {
      if (body.deep) this.tally.add('deep');
      if (body.twice) this.tally.add('twice');
      return { method: 'POST', target, headers: { authorization, 'content-type': type, ...headers }, body: bytes };
    };
    switch (protocol) {
      case 'awsJson1_0':
      case 'awsJson1_1':
        return post(`application/x-amz-json-${protocol.slice(-3).replace('_', '.')}`, jsonBody(body), {
          'x-amz-target': `${metadata.targetPrefix}.${name}`,
        });
      case 'awsQuery':
      case 'ec2Query':
        return post('application/x-www-form-urlencoded', formBody(body, protocol, name));
      case 'rpcv2Cbor':
        return post(
          'application/cbor',
          cborBody(body),
          { 'smithy-protocol': 'rpc-v2-cbor' },
          `/service/${metadata.targetPrefix}/operation/${name}`,
        );
    }
    const xml = protocol === 'restXml';
    const bytes = xml ? xmlBody(body) : jsonBody(body);
    const { target, headers } = this.bindings(operation.http.uri, operation.input, input);
    const request = post(xml ? 'application/xml' : 'application/json', bytes, headers, target);
    const { method } = operation.http;
    return { ...request, method, body: method === 'GET' ? Buffer.alloc(0) : bytes };
  }

  /** Parts of an input outside of the body. */
  private bindings(
    uri: string,
    root: MemberModel | undefined,
    input: unknown,
  ): Pick<BuiltRequest, 'target' | 'headers'> {
    const values = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
    const headers: Record<string, string> = {};
    const parameters: string[] = [];
    const labels: Record<string, unknown> = {};
    const members = (root && this.model.shapes[root.shape]?.members) ?? {};
    for (const [name, { location, locationName = name }] of Object.entries(members)) {
      const value = values[name];
      if (location === 'uri') labels[locationName] = value;
      if (value === undefined) continue;
      const text = textOf(value).slice(0, 200);
      if (location === 'querystring') parameters.push(`${locationName}=${encodeURIComponent(text)}`);
      if (location === 'header') headers[locationName.toLowerCase()] = text;
    }
    const path = uri.replace(/\{([^}+]+)\+?\}/g, (_, label: string) =>
      encodeURI(textOf(labels[label] ?? this.random.of(STRINGS)).slice(0, 200)),
    );
    const query = parameters.join('&');
    const target = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
    return { target, headers };
  }

  /** Breaks a request: its bytes, headers or target. */
  private spoilt(request: BuiltRequest): BuiltRequest {
    const { random, tally } = this;
    const { target, headers, body } = request;
    switch (random.below(10)) {
      case 0:
      case 1:
        tally.add('as bytes');
        return { ...request, body: mutate(body, random, tally, () => this.last) };
      case 2:
        return { ...request, headers: { ...headers, 'content-type': tally.next('TYPES', TYPES) } };
      case 3:
        return { ...request, target: tally.next('TARGETS', TARGETS) };
      case 4: {
        const parameter = tally.next('PARAMETERS', PARAMETERS);
        return { ...request, target: `${target}${target.includes('?') ? '&' : '?'}${parameter}` };
      }
      case 5:
        return { ...request, method: tally.next('METHODS', METHODS) };
      case 6: {
        const name = tally.next('HEADERS', HEADERS);
        return { ...request, headers: { ...headers, [name]: tally.next('HEADER_VALUES', HEADER_VALUES) } };
      }
      default:
        return request;
    }
  }
}
