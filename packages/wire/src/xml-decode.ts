import { fromBase64 } from './bytes.ts';
import { lazy, ShapeCompiler, setOwn, shapeOf } from './compile.ts';
import { type AwsError, awsError } from './errors.ts';
import { type TextDecoder, textDecoder } from './header-values.ts';
import type { MemberModel, ServiceModel, Shape } from './model.ts';
import { memberElement } from './xml-encode.ts';
import { localName, type XmlElement } from './xml-reader.ts';

/** Decodes an element for handlers. @throws AwsError MalformedXML */
export type XmlDecoder = (element: XmlElement) => unknown;

/**
 * Creates the error for a body that is invalid XML or does not match the operation's input.
 * @param cause for the log; AWS does not report it
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList
 */
export function malformedXml(cause?: unknown): AwsError {
  return awsError(
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
    { status: 400, cause },
  );
}

/** Returns the text of an element without child elements. */
function elementText({ children, text }: XmlElement): string {
  if (children) throw malformedXml('an element has elements where text is expected');
  return text;
}

/** Returns an attribute by name. Clients may choose another prefix for its namespace. */
function attributeOf(element: XmlElement, name: string): string | undefined {
  const { attributes } = element;
  if (!attributes) return undefined;
  const exact = attributes.get(name);
  if (exact !== undefined || !name.includes(':')) return exact;
  for (const [other, value] of attributes)
    if (!other.startsWith('xmlns') && localName(other) === localName(name)) return value;
  return undefined;
}

/** Sets one member of a structure from an element. */
type Setter = (target: Record<string, unknown>, element: XmlElement) => void;

/** Compiles XML decoders for the shapes of one service. Members are found by `locationName`; namespaces are ignored. */
export class XmlDecoders {
  private readonly model: ServiceModel;
  private readonly compiler: ShapeCompiler<XmlDecoder>;

  constructor(model: ServiceModel) {
    this.model = model;
    this.compiler = new ShapeCompiler(
      (member) => this.make(member),
      ({ shape, timestampFormat }) => `${shape}|${timestampFormat ?? ''}`,
    );
  }

  /** Returns the decoder of one use of a shape. */
  of(member: MemberModel): XmlDecoder {
    return this.compiler.compile(member);
  }

  /** Returns a decoder of a structure for the given members only. */
  structure(members: [string, MemberModel][]): XmlDecoder {
    const setters = new Map<string, () => Setter>();
    const attributes: { name: string; attribute: string; decode: TextDecoder }[] = [];
    for (const [name, member] of members) {
      if (member.xmlAttribute)
        attributes.push({ name, attribute: member.locationName ?? name, decode: this.text(member) });
      else
        setters.set(
          localName(memberElement(this.model, name, member)),
          lazy(() => this.setter(name, member)),
        );
    }
    return (element) => {
      const out: Record<string, unknown> = {};
      for (const { name, attribute, decode } of attributes) {
        const value = attributeOf(element, attribute);
        if (value !== undefined) out[name] = decode(value);
      }
      if (!element.children) {
        if (element.text.trim() !== '') throw malformedXml(`${element.name} has text where elements are expected`);
        return out;
      }
      for (const child of element.children) setters.get(child.name)?.()(out, child);
      return out;
    };
  }

  /** Returns the setter for the element of a member, or for an element of a flattened collection. */
  private setter(name: string, member: MemberModel): Setter {
    const shape = shapeOf(this.model, member.shape);
    const flattened = member.flattened || shape.flattened;
    if (flattened && shape.type === 'list') {
      const decode = this.of(shape.member!);
      return (target, element) => {
        target[name] ??= [];
        (target[name] as unknown[]).push(decode(element));
      };
    }
    if (flattened && shape.type === 'map') {
      const put = this.entry(shape);
      return (target, element) => {
        target[name] ??= {};
        put(target[name] as Record<string, unknown>, element);
      };
    }
    const decode = this.of(member);
    return (target, element) => {
      if (target[name] !== undefined) throw malformedXml(`${element.name} is given twice`);
      target[name] = decode(element);
    };
  }

  private make(member: MemberModel): XmlDecoder {
    const shape = shapeOf(this.model, member.shape);
    switch (shape.type) {
      case 'structure':
        return this.structure(Object.entries(shape.members ?? {}));
      case 'list': {
        const tag = localName(shape.member!.locationName ?? 'member');
        const decode = this.of(shape.member!);
        return ({ children }) => {
          const out: unknown[] = [];
          for (const child of children ?? []) if (child.name === tag) out.push(decode(child));
          return out;
        };
      }
      case 'map': {
        const put = this.entry(shape);
        return ({ children }) => {
          const out: Record<string, unknown> = {};
          for (const child of children ?? []) if (child.name === 'entry') put(out, child);
          return out;
        };
      }
      case 'string':
        return elementText;
      default: {
        const decode = this.text(member);
        return (element) => decode(elementText(element));
      }
    }
  }

  /** Decodes the text of a scalar. Surrounding white space is ignored except in strings. */
  private text(member: MemberModel): TextDecoder {
    const { type } = shapeOf(this.model, member.shape);
    if (type === 'string') return (text) => text;
    if (type === 'blob')
      return (text) => {
        const bytes = fromBase64(text.replace(/[ \t\n]+/g, ''));
        if (typeof bytes === 'string') throw malformedXml(bytes);
        return bytes;
      };
    const decode = textDecoder(this.model, member, 'iso8601', malformedXml);
    return (text) => decode(text.trim());
  }

  private entry(shape: Shape): Setter {
    const keyTag = localName(shape.key!.locationName ?? 'key');
    const valueTag = localName(shape.value!.locationName ?? 'value');
    const decode = this.of(shape.value!);
    return (target, { children }) => {
      const key = children?.find(({ name }) => name === keyTag);
      const value = children?.find(({ name }) => name === valueTag);
      if (!key || !value) throw malformedXml('an entry of a map has no key or no value');
      setOwn(target, elementText(key), decode(value));
    };
  }
}
