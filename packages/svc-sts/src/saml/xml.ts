import { SaxesParser } from 'saxes';

/** An element of an XML document. */
export interface XmlElement {
  /** Name without namespace prefix. */
  name: string;
  /** Attributes by name without namespace prefix, without namespace declarations. */
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Text directly in it. */
  text: string;
}

/** Maximum nesting depth, far above that of any SAML response. */
const MAX_DEPTH = 64;
/** Namespace of `xmlns` and `xmlns:…`. */
const NAMESPACES = 'http://www.w3.org/2000/xmlns/';

/**
 * Parses a document. Document type declarations are rejected, which prevents entity expansion.
 * @returns the root element; undefined for malformed text, a document type, or too much nesting
 */
export function parseXml(text: string): XmlElement | undefined {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', () => parser.fail('a document type is declared'));
  parser.on('opentag', (tag) => {
    if (open.length > MAX_DEPTH) parser.fail('elements are nested too deeply');
    const attributes = Object.fromEntries(
      Object.values(tag.attributes)
        .filter(({ uri }) => uri !== NAMESPACES)
        .map((one) => [one.local, one.value]),
    );
    const element = { name: tag.local, attributes, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  const addText = (characters: string): void => {
    open.at(-1)!.text += characters;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return root.children[0];
}
