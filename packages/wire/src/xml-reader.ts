import { MAX_DEPTH } from './compile.ts';

/** An element of a document. */
export interface XmlElement {
  /** Name without namespace prefix. */
  readonly name: string;
  /** Attributes by qualified name; undefined without attributes. */
  attributes: Map<string, string> | undefined;
  /** Undefined without child elements. */
  children: XmlElement[] | undefined;
  /** All text directly in the element. */
  text: string;
}

/** Invalid or unsupported XML. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/**
 * Limit of elements and attributes in a document, because each takes far more memory than its shortest text of four
 * bytes.
 */
const MAX_PARTS = 250_000;

const NAME = /[A-Za-z_:\u0080-\ud7ff\ue000-\ufffd][\w:.\-\u0080-\ud7ff\ue000-\ufffd]*/y;
const NOT_SPACE = /[^ \t\n]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly what XML 1.0 forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|([a-z]{2,4}));|&/g;
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' };

function characterOf(code: number): string {
  // References to control characters belong to XML 1.1. AWS writes and reads them for characters that have no other
  // form.
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new XmlError('a character reference is invalid');
  return String.fromCodePoint(code);
}

/** Replaces character references and the five predefined entities. Others require a DTD. */
function expand(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (_, decimal?: string, hexadecimal?: string, entity?: string) => {
    if (decimal !== undefined) return characterOf(Number(decimal));
    if (hexadecimal !== undefined) return characterOf(Number.parseInt(hexadecimal, 16));
    const character = entity !== undefined && Object.hasOwn(ENTITIES, entity) ? ENTITIES[entity] : undefined;
    if (character === undefined) throw new XmlError('an entity is undefined');
    return character;
  });
}

const unifyLines = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** Returns the name after its namespace prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Parses a document in one pass, without recursion, so that nesting cannot exhaust the stack. */
class XmlReader {
  private position = 0;
  private parts = 0;
  private root: XmlElement | undefined;
  /** Open elements with their names as written. */
  private readonly open: { element: XmlElement; name: string }[] = [];
  private readonly text: string;
  /** Most documents contain no references and no stray ends of CDATA, so their text needs no check for them. */
  private readonly hasReferences: boolean;
  private readonly hasCdataEnds: boolean;

  constructor(text: string) {
    if (FORBIDDEN.test(text)) throw new XmlError('a character is not allowed');
    this.text = unifyLines(text);
    this.hasReferences = text.includes('&');
    this.hasCdataEnds = text.includes(']]>');
  }

  read(): XmlElement {
    const { text, open } = this;
    if (text.startsWith('\ufeff')) this.position = 1;
    if (/<\?xml[ \t\n?]/.test(text.slice(this.position, this.position + 6))) this.skipPast('?>', 'the declaration');
    for (;;) {
      const tag = text.indexOf('<', this.position);
      this.characters(text.slice(this.position, tag < 0 ? text.length : tag));
      if (tag < 0) break;
      this.position = tag + 1;
      this.markup();
    }
    if (open.length > 0) throw new XmlError(`element ${open.at(-1)!.name} is not closed`);
    if (!this.root) throw new XmlError('the document has no element');
    return this.root;
  }

  private characters(raw: string): void {
    if (raw === '') return;
    const current = this.open.at(-1);
    if (!current) {
      if (NOT_SPACE.test(raw)) throw new XmlError('there is text outside the root element');
      return;
    }
    if (this.hasCdataEnds && raw.includes(']]>')) throw new XmlError("']]>' is outside of a CDATA section");
    const text = this.hasReferences ? expand(raw) : raw;
    const { element } = current;
    element.text = element.text === '' ? text : element.text + text;
  }

  /** Parses markup after a `<`. */
  private markup(): void {
    const { text, position } = this;
    const next = text[position];
    if (next === '/') this.closeTag();
    else if (next === '?') this.instruction();
    else if (next !== '!') this.openTag();
    else if (text.startsWith('!--', position)) this.comment();
    else if (text.startsWith('![CDATA[', position)) this.cdata();
    else throw new XmlError('a document type is declared');
  }

  private instruction(): void {
    if (/^\?xml[ \t\n?]/i.test(this.text.slice(this.position, this.position + 5)))
      throw new XmlError('an XML declaration is not at the start');
    this.skipPast('?>', 'a processing instruction');
  }

  private comment(): void {
    this.position += 3;
    const end = this.text.indexOf('--', this.position);
    if (end < 0 || this.text[end + 2] !== '>') throw new XmlError('a comment is malformed');
    this.position = end + 3;
  }

  private cdata(): void {
    const current = this.open.at(-1);
    if (!current) throw new XmlError('there is text outside the root element');
    const start = this.position + 8;
    this.skipPast(']]>', 'a CDATA section');
    current.element.text += this.text.slice(start, this.position - 3);
  }

  private closeTag(): void {
    this.position++;
    const name = this.nameHere();
    this.skipSpace();
    if (this.text[this.position] !== '>') throw new XmlError(`the end tag of ${name} is not well-formed`);
    this.position++;
    if (this.open.pop()?.name !== name) throw new XmlError(`the end tag of ${name} closes another element`);
  }

  private openTag(): void {
    const name = this.nameHere();
    this.count();
    const attributes = this.attributes(name);
    const element: XmlElement = { name: localName(name), attributes, children: undefined, text: '' };
    const parent = this.open.at(-1);
    if (parent) {
      parent.element.children ??= [];
      parent.element.children.push(element);
    } else if (this.root) throw new XmlError('the document has several root elements');
    else this.root = element;
    const closed = this.text[this.position] === '/';
    if (closed) this.position++;
    if (this.text[this.position] !== '>') throw new XmlError(`the tag of ${name} is not well-formed`);
    this.position++;
    if (closed) return;
    if (this.open.length >= MAX_DEPTH) throw new XmlError('elements are nested too deeply');
    this.open.push({ element, name });
  }

  private attributes(tag: string): Map<string, string> | undefined {
    const { text } = this;
    let attributes: Map<string, string> | undefined;
    for (;;) {
      const spaced = this.skipSpace();
      const next = text[this.position];
      if (next === '>' || next === '/' || next === undefined) return attributes;
      if (!spaced) throw new XmlError(`the tag of ${tag} is not well-formed`);
      const name = this.nameHere();
      this.skipSpace();
      if (text[this.position] !== '=') throw new XmlError(`attribute ${name} has no value`);
      this.position++;
      this.skipSpace();
      const quote = text[this.position];
      const end = quote === '"' || quote === "'" ? text.indexOf(quote, this.position + 1) : -1;
      if (end < 0) throw new XmlError(`the value of attribute ${name} is not quoted`);
      const raw = text.slice(this.position + 1, end);
      if (raw.includes('<')) throw new XmlError('a character is not allowed');
      this.position = end + 1;
      attributes ??= new Map();
      if (attributes.has(name)) throw new XmlError(`attribute ${name} is given twice`);
      this.count();
      attributes.set(name, expand(raw.replace(/[\t\n]/g, ' ')));
    }
  }

  /** Counts an element or attribute. */
  private count(): void {
    if (++this.parts > MAX_PARTS) throw new XmlError('there are too many elements');
  }

  private nameHere(): string {
    NAME.lastIndex = this.position;
    if (!NAME.test(this.text)) throw new XmlError('a name is expected');
    const name = this.text.slice(this.position, NAME.lastIndex);
    this.position = NAME.lastIndex;
    return name;
  }

  private skipSpace(): boolean {
    const start = this.position;
    for (;;) {
      const code = this.text.charCodeAt(this.position);
      // Space, tab and line feed. Carriage returns have been removed.
      if (code !== 0x20 && code !== 0x09 && code !== 0x0a) break;
      this.position++;
    }
    return this.position > start;
  }

  private skipPast(end: string, what: string): void {
    const found = this.text.indexOf(end, this.position);
    if (found < 0) throw new XmlError(`${what} does not end`);
    this.position = found + end.length;
  }
}

/**
 * Parses XML 1.0 without document type declarations, so without entity definitions.
 * @returns the root element
 * @throws XmlError for malformed XML, a document type declaration, or too much nesting
 * @see https://www.w3.org/TR/xml/
 */
export function readXml(text: string): XmlElement {
  return new XmlReader(text).read();
}
