import fc from 'fast-check';
import type { MemberModel, Protocol, ServiceModel, Shape } from '../../src/index.ts';

/** Location of a value, which limits its possible values. */
type Place = 'body' | 'header' | 'uri' | 'querystring';

/** Depth to which recursive shapes are filled. */
const MAX_DEPTH = 4;

const XML_LIKE: readonly Protocol[] = ['awsQuery', 'ec2Query', 'restXml'];

const plainText = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,12}$/);
const bodyText = fc.oneof(plainText, fc.string({ unit: 'grapheme', maxLength: 12 }));
// XML does not preserve surrounding white space and control characters, which is not tested here.
const xmlText = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }).map((text) => text.trim() || 'x');
const jsonValue = fc.jsonValue({ maxDepth: 2, noUnicodeString: false });

/** Generates values of a model's shapes in the form of handlers and SDKs. */
export class Arbitraries {
  private readonly model: ServiceModel;
  private readonly xmlLike: boolean;
  private readonly cbor: boolean;
  /** Members with other values, or none (undefined), because an SDK handles them specially. */
  private readonly special: Record<string, fc.Arbitrary<unknown> | undefined>;

  constructor(
    model: ServiceModel,
    protocol: Protocol,
    special: Record<string, fc.Arbitrary<unknown> | undefined> = {},
  ) {
    this.model = model;
    this.xmlLike = XML_LIKE.includes(protocol);
    this.cbor = protocol === 'rpcv2Cbor';
    this.special = special;
  }

  /** Generates values of an input, output or error. */
  structure(name: string): fc.Arbitrary<Record<string, unknown>> {
    return this.members(this.model.shapes[name]!, 0)!;
  }

  private members(shape: Shape, depth: number): fc.Arbitrary<Record<string, unknown>> | undefined {
    const arbitraries: Record<string, fc.Arbitrary<unknown>> = {};
    const required: string[] = [];
    for (const [name, member] of Object.entries(shape.members ?? {})) {
      const whole = name === shape.payload || member.location === 'statusCode';
      const special = Object.hasOwn(this.special, name);
      const arbitrary = special ? this.special[name] : this.member(member, depth, whole);
      if (!arbitrary) continue;
      arbitraries[name] = arbitrary;
      // Members with defaults are always set.
      if (shape.required?.includes(name) || whole || special) required.push(name);
    }
    if (shape.union) {
      const options = Object.entries(arbitraries).map(([name, value]) => value.map((item) => ({ [name]: item })));
      return options.length > 0 ? fc.oneof(...options) : fc.constant({});
    }
    const names = Object.keys(arbitraries);
    if (!this.xmlLike || depth === 0 || required.length > 0) return fc.record(arbitraries, { requiredKeys: required });
    // The query protocols cannot represent a structure without members.
    if (names.length === 0) return undefined;
    return fc.constantFrom(...names).chain((name) => fc.record(arbitraries, { requiredKeys: [name] }));
  }

  private member(member: MemberModel, depth: number, whole: boolean): fc.Arbitrary<unknown> | undefined {
    const shape = this.model.shapes[member.shape]!;
    if (shape.eventstream) return undefined;
    if (member.jsonvalue || shape.document) return jsonValue;
    const place: Place =
      member.location === 'header' || member.location === 'headers'
        ? 'header'
        : member.location === 'uri' || member.location === 'querystring'
          ? member.location
          : 'body';
    if (member.location === 'statusCode') return fc.constant(200);
    if (whole && shape.type === 'blob') return fc.uint8Array({ minLength: 1, maxLength: 24 });
    if (whole && shape.type === 'string') return plainText;
    return this.value(member, shape, place, depth);
  }

  private value(member: MemberModel, shape: Shape, place: Place, depth: number): fc.Arbitrary<unknown> | undefined {
    switch (shape.type) {
      case 'structure':
        return depth < MAX_DEPTH ? this.members(shape, depth + 1) : undefined;
      case 'list':
      case 'map':
        return this.collection(shape, place, depth);
      case 'string':
        return shape.enum ? fc.constantFrom(...shape.enum) : this.text(place);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer();
      case 'long':
        return fc.maxSafeInteger();
      case 'float':
        return fc.float({ noNaN: true, noDefaultInfinity: place !== 'body' }).map((value) => value + 0);
      case 'double':
        return fc.double({ noNaN: true, noDefaultInfinity: place !== 'body' }).map((value) => value + 0);
      case 'blob':
        return fc.uint8Array({ minLength: this.xmlLike ? 1 : 0, maxLength: 24 });
      case 'timestamp':
        return this.timestamp(member, shape, place);
    }
  }

  private timestamp(member: MemberModel, shape: Shape, place: Place): fc.Arbitrary<Date> {
    const format = member.timestampFormat ?? shape.timestampFormat ?? (place === 'header' ? 'rfc822' : undefined);
    // HTTP dates have whole seconds, and so do labels and parameters written by SDKs.
    const step = format === 'rfc822' || place === 'uri' || place === 'querystring' ? 1000 : 1;
    return fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => {
      return new Date(step === 1000 ? seconds * 1000 : seconds * 1000 + (seconds % 1000));
    });
  }

  private text(place: Place): fc.Arbitrary<string> {
    if (place !== 'body') return plainText;
    return this.xmlLike ? xmlText : bodyText;
  }

  private collection(shape: Shape, place: Place, depth: number): fc.Arbitrary<unknown> | undefined {
    const minLength = this.xmlLike || place !== 'body' ? 1 : 0;
    const inner = (shape.type === 'list' ? shape.member : shape.value)!;
    const target = this.model.shapes[inner.shape]!;
    const element = target.document ? jsonValue : this.value(inner, target, place, depth + 1);
    if (!element) return undefined;
    if (shape.type === 'list') return fc.array(element, { minLength, maxLength: 3 });
    const keys = this.model.shapes[shape.key!.shape]!.enum;
    const key = keys ? fc.constantFrom(...keys) : this.keys(place);
    return fc.dictionary(key, element, { minKeys: minLength, maxKeys: 3, noNullPrototype: true });
  }

  private keys(place: Place): fc.Arbitrary<string> {
    if (place === 'header') return plainText.map((key) => key.toLowerCase());
    if (place !== 'body' || this.xmlLike) return plainText;
    return this.cbor ? bodyText : bodyText.filter((key) => key !== '__proto__');
  }
}
