import { toBase64 } from './bytes.ts';
import { lazy, ShapeCompiler, shapeOf } from './compile.ts';
import { invalidOutput } from './json-encode.ts';
import { isObject } from './json-values.ts';
import type { MemberModel, ServiceModel, Shape, XmlNamespace } from './model.ts';
import { formatTimestamp } from './timestamps.ts';
import { declareNamespace, escapeXml, escapeXmlAttribute } from './xml-text.ts';

/**
 * Encodes a value as XML: an element with its content, or the content alone.
 * @throws TypeError for a value of another shape, which is an error of the handler
 */
export type XmlEncoder = (value: unknown) => string;

const encodeString: XmlEncoder = (value) =>
  typeof value === 'string' ? escapeXml(value) : invalidOutput(value, 'a string');
const encodeBoolean: XmlEncoder = (value) =>
  typeof value === 'boolean' ? String(value) : invalidOutput(value, 'a boolean');
const encodeNumber: XmlEncoder = (value) =>
  typeof value === 'number' || typeof value === 'bigint' ? String(value) : invalidOutput(value, 'a number');
const encodeBlob: XmlEncoder = (value) => {
  if (value instanceof Uint8Array) return toBase64(value);
  return typeof value === 'string' ? Buffer.from(value, 'utf8').toString('base64') : invalidOutput(value, 'a blob');
};

/** Returns the values of a structure or map. */
function objectOf(value: unknown, target: string): Record<string, unknown> {
  return isObject(value) ? value : invalidOutput(value, target);
}

/** Encodes an element. Each of the `attributes` begins with a space. */
const wrap = (tag: string, attributes: string, content: string): string =>
  content === '' ? `<${tag}${attributes}/>` : `<${tag}${attributes}>${content}</${tag}>`;

/**
 * Returns the element name of a structure's member, or of its elements if flattened. If the list itself is flattened,
 * as in models older than Smithy, its element name replaces the member's. The shape's name is used only for a whole
 * document.
 */
export function memberElement(model: ServiceModel, name: string, member: MemberModel): string {
  const shape = shapeOf(model, member.shape);
  const element = shape.type === 'list' && shape.flattened ? shape.member!.locationName : undefined;
  const own = shape.type === 'structure' ? undefined : shape.locationName;
  return member.locationName ?? element ?? own ?? name;
}

/**
 * Compiles XML encoders for the shapes of one service. Members are named by `locationName`, as in all AWS protocols.
 */
export class XmlEncoders {
  private readonly model: ServiceModel;
  private readonly contents: ShapeCompiler<XmlEncoder>;
  private readonly attributesOf = new Map<string, XmlEncoder | undefined>();

  constructor(model: ServiceModel) {
    this.model = model;
    this.contents = new ShapeCompiler(
      (member) => this.make(member),
      ({ shape, timestampFormat }) => `${shape}|${timestampFormat ?? ''}`,
    );
  }

  /**
   * Returns the encoder of an element around one use of a shape.
   * @param namespace declared on the element; by default that of the use or its shape
   */
  element(tag: string, member: MemberModel, namespace?: XmlNamespace): XmlEncoder {
    const shape = shapeOf(this.model, member.shape);
    const declared = declareNamespace(namespace ?? member.xmlNamespace ?? shape.xmlNamespace);
    const content = this.contents.compile(member);
    const attributes = this.attributes(member.shape, shape);
    if (attributes) return (value) => wrap(tag, declared + attributes(value), content(value));
    return (value) => wrap(tag, declared, content(value));
  }

  /** Returns the encoder of the given members of a structure, each as its elements. */
  members(members: [string, MemberModel][]): XmlEncoder {
    // Encoders of members are compiled at the first value, because many members are never set and shapes can be
    // recursive.
    const fields = members
      .filter(([, member]) => !member.xmlAttribute)
      .map(([name, member]) => ({ name, encoder: lazy(() => this.member(name, member)) }));
    return (value) => {
      const source = objectOf(value, 'a structure');
      let out = '';
      for (const { name, encoder } of fields) {
        const item = source[name];
        if (item !== undefined && item !== null) out += encoder()(item);
      }
      return out;
    };
  }

  /**
   * Returns the encoder of the attributes of a structure's element, each after a space; undefined without attributes.
   */
  attributes(name: string, shape: Shape): XmlEncoder | undefined {
    if (this.attributesOf.has(name)) return this.attributesOf.get(name);
    const members = Object.entries(shape.members ?? {}).filter(([, member]) => member.xmlAttribute);
    const fields = members.map(([member, use]) => ({
      member,
      attribute: use.locationName ?? member,
      encode: this.attributeText(use),
    }));
    const encoder: XmlEncoder | undefined =
      fields.length === 0
        ? undefined
        : (value) => {
            const source = objectOf(value, 'a structure');
            let out = '';
            for (const { member, attribute, encode } of fields) {
              const item = source[member];
              if (item !== undefined && item !== null) out += ` ${attribute}="${encode(item)}"`;
            }
            return out;
          };
    this.attributesOf.set(name, encoder);
    return encoder;
  }

  private attributeText(member: MemberModel): XmlEncoder {
    if (shapeOf(this.model, member.shape).type !== 'string') return this.contents.compile(member);
    return (value) => (typeof value === 'string' ? escapeXmlAttribute(value) : invalidOutput(value, 'a string'));
  }

  private member(name: string, member: MemberModel): XmlEncoder {
    const shape = shapeOf(this.model, member.shape);
    const tag = memberElement(this.model, name, member);
    if (member.flattened || shape.flattened) {
      // A flattened collection has no element of its own; each of its elements has the member's name.
      if (shape.type === 'list') return this.items(tag, shape, member.xmlNamespace);
      if (shape.type === 'map') return this.entries(tag, shape, member.xmlNamespace);
    }
    return this.element(tag, member);
  }

  private make(member: MemberModel): XmlEncoder {
    const shape = shapeOf(this.model, member.shape);
    switch (shape.type) {
      case 'structure':
        return this.members(Object.entries(shape.members ?? {}));
      case 'list':
        return this.items(shape.member!.locationName ?? 'member', shape);
      case 'map':
        return this.entries('entry', shape);
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
        const format = member.timestampFormat ?? shape.timestampFormat ?? 'iso8601';
        if (format === 'iso8601' && this.model.metadata.timestampMilliseconds)
          return (value) => (value instanceof Date ? value.toISOString() : invalidOutput(value, 'a timestamp'));
        return (value) =>
          value instanceof Date ? formatTimestamp(format, value) : invalidOutput(value, 'a timestamp');
      }
    }
  }

  private items(tag: string, shape: Shape, namespace?: XmlNamespace): XmlEncoder {
    const encode = this.element(tag, shape.member!, namespace);
    return (value) => {
      if (!Array.isArray(value)) return invalidOutput(value, 'a list');
      let out = '';
      // A null in a sparse list is an empty element.
      for (const item of value as unknown[]) out += item === null || item === undefined ? `<${tag}/>` : encode(item);
      return out;
    };
  }

  private entries(tag: string, shape: Shape, namespace?: XmlNamespace): XmlEncoder {
    const encodeKey = this.element(shape.key!.locationName ?? 'key', shape.key!);
    const encodeValue = this.element(shape.value!.locationName ?? 'value', shape.value!);
    const declared = declareNamespace(namespace);
    return (value) => {
      let out = '';
      for (const [key, item] of Object.entries(objectOf(value, 'a map')))
        if (item !== undefined && item !== null)
          out += `<${tag}${declared}>${encodeKey(key)}${encodeValue(item)}</${tag}>`;
      return out;
    };
  }
}
