import type { RawRequest } from '@emu/gateway/testing';
import type { MemberModel, OperationModel, Protocol, ServiceModel } from '@emu/wire';
import type { Random } from './random.ts';

/** What a value of any type may be replaced with. */
const ODD: readonly unknown[] = [
  ...[null, true, '', 0, -1, 1.5, 1e308, 2 ** 53, -0, [], {}, [[]], [null], { __proto__: null, a: 1 }],
  ...['\u0000', '\ud800', 'x'.repeat(5000), '../../etc', '%00', '*', 'arn:aws:::', '1e999', 'NaN', '{', '<a>'],
];
const DEEP = 3000;
const TYPES = [
  'application/json',
  'application/x-amz-json-1.1',
  'application/x-www-form-urlencoded',
  'application/cbor',
  'text/plain',
  'application/xml',
  ';',
  '',
];
const TARGETS = [
  'file:///etc/passwd',
  'http://localhost/',
  '*',
  '//',
  '/%',
  '/%ff',
  '/../..',
  '/?',
  '/?Action',
  '/\u00e9',
  '/_emulator',
  '/?&&==&',
];
const STRINGS = [
  'a',
  'name-1',
  '123456789012',
  'arn:aws:sqs:us-east-1:123456789012:q',
  '{}',
  '2024-01-01T00:00:00Z',
  'AQ==',
];

/** Makes requests of a service's operations from its model, and breaks them. */
export class Requests {
  private readonly names: string[];

  constructor(
    private readonly model: ServiceModel,
    private readonly random: Random,
  ) {
    this.names = Object.keys(model.operations);
  }

  /** The next request, broken in one way at least. */
  next(): RawRequest {
    const { random, model } = this;
    const name = random.of(this.names);
    const protocol = random.of(model.metadata.protocols);
    const operation = model.operations[name]!;
    let input = operation.input ? this.value(operation.input, 0) : {};
    if (!random.once(4)) input = this.broken(input);
    return this.spoilt(this.encode(protocol, name, operation, input));
  }

  /** A value that is mostly of the shape. */
  private value(member: MemberModel, depth: number): unknown {
    const { random } = this;
    const shape = this.model.shapes[member.shape];
    if (!shape || depth > 6 || random.once(60)) return random.of(ODD);
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
        return random.of([0, 1, 10, 3600, -1, 2 ** 31, 1e20]);
      case 'timestamp':
        return random.of([1_700_000_000, '2024-01-01T00:00:00Z', 1e18]);
      default:
        return random.of(shape.enum?.length ? [...shape.enum, 'a'] : STRINGS);
    }
  }

  /** A copy with one value replaced, put deep inside others, doubled or left out. */
  private broken(value: unknown): unknown {
    const { random } = this;
    if (typeof value === 'object' && value !== null && !random.once(3)) {
      const keys = Object.keys(value);
      if (keys.length > 0) {
        const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
        const key = random.of(keys);
        if (random.once(6)) delete copy[key];
        else copy[key] = this.broken(copy[key]);
        if (!Array.isArray(value) && random.once(6))
          copy[random.of(['__proto__', 'constructor', 'Extra', ''])] = random.of(ODD);
        return copy;
      }
    }
    return random.of(ODD);
  }

  private encode(protocol: Protocol, name: string, operation: OperationModel, input: unknown): RawRequest {
    const { random, model } = this;
    const { metadata } = model;
    const authorization = `AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/${metadata.signingName}/aws4_request, SignedHeaders=host, Signature=0`;
    const json = (): string => {
      const text = JSON.stringify(input) ?? '';
      if (random.once(30)) return text.replace('{', `{"a":${'['.repeat(DEEP)}${']'.repeat(DEEP)},`);
      return random.once(20) ? text.replace('{', '{"Name":1,"Name":2,') : text;
    };
    if (protocol.startsWith('awsJson'))
      return {
        method: 'POST',
        target: '/',
        headers: {
          authorization,
          'content-type': `application/x-amz-json-${protocol.slice(-3).replace('_', '.')}`,
          'x-amz-target': `${metadata.targetPrefix}.${name}`,
        },
        chunks: [json()],
      };
    if (protocol === 'awsQuery' || protocol === 'ec2Query') {
      const form = new URLSearchParams({ Action: name, Version: metadata.apiVersion });
      flatten(input, '', form);
      return {
        method: 'POST',
        target: '/',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        chunks: [form.toString()],
      };
    }
    if (protocol === 'rpcv2Cbor')
      return {
        method: 'POST',
        target: `/service/${metadata.targetPrefix}/operation/${name}`,
        headers: { authorization, 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor' },
        chunks: [Buffer.from([0xbf, random.below(256), random.below(256), 0xff])],
      };
    const members = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
    const target = operation.http.uri.replace(/\{([^}]+)\}/g, (_, label: string) =>
      encodeURI(textOf(members[label.replace('+', '')] ?? random.of(STRINGS)).slice(0, 200)),
    );
    return {
      method: operation.http.method,
      target,
      headers: { authorization, 'content-type': protocol === 'restXml' ? 'application/xml' : 'application/json' },
      chunks: operation.http.method === 'GET' ? [] : [protocol === 'restXml' ? xml(input) : json()],
    };
  }

  /** Breaks what is sent: its bytes, its headers or its target. */
  private spoilt(request: RawRequest): RawRequest {
    const { random } = this;
    const body = Buffer.concat((request.chunks ?? []).map((chunk) => Buffer.from(chunk)));
    switch (random.below(12)) {
      case 0:
        return { ...request, chunks: [body.subarray(0, random.below(body.length + 1))] };
      case 1: {
        const at = random.below(body.length + 1);
        const bytes = Buffer.from([random.below(256), 0xff, 0xc3]);
        return { ...request, chunks: [body.subarray(0, at), bytes, body.subarray(at)] };
      }
      case 2:
        return { ...request, headers: { ...request.headers, 'content-type': random.of(TYPES) } };
      case 3:
        return { ...request, target: random.of(TARGETS) };
      case 4:
        return {
          ...request,
          target: `${request.target}${request.target.includes('?') ? '&' : '?'}${random.of(['Action=X', 'a=%', '=', 'max-keys=x', 'versionId='])}`,
        };
      case 5:
        return { ...request, method: random.of(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) };
      case 6: {
        const name = random.of([
          'host',
          'authorization',
          'x-amz-target',
          'x-amz-date',
          'content-md5',
          'range',
          'x-amz-copy-source',
          'content-encoding',
          'x-amz-content-sha256',
          'smithy-protocol',
          'origin',
        ]);
        return {
          ...request,
          headers: {
            ...request.headers,
            [name]: random.of(['', 'gzip', 'a, b', 'x'.repeat(3000), 'bytes=5-1', '/a/b?c', 'rpc-v2-cbor', '\u00ff']),
          },
        };
      }
      default:
        return request;
    }
  }
}

function flatten(value: unknown, prefix: string, form: URLSearchParams): void {
  if (typeof value !== 'object' || value === null) {
    form.append(prefix, textOf(value));
    return;
  }
  const separator = Array.isArray(value) ? '.member.' : '.';
  for (const [key, one] of Object.entries(value))
    flatten(one, prefix === '' ? key : `${prefix}${separator}${Array.isArray(value) ? Number(key) + 1 : key}`, form);
}

function xml(value: unknown, name = 'Input'): string {
  if (Array.isArray(value)) return value.map((one) => xml(one, name)).join('');
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, one]) => xml(one, key))
          .join('')
      : textOf(value).replaceAll('<', '&lt;');
  return `<${name}>${inner}</${name}>`;
}

/** A value as text, with what no UTF-8 has replaced. */
const textOf = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toString();
