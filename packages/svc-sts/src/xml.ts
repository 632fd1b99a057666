import { SaxesParser } from 'saxes';

/** An element of an XML document. */
export interface XmlElement {
  /** Its name without a namespace prefix. */
  name: string;
  /** Values of attributes by name without a namespace prefix; declarations of namespaces are none. */
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The text directly in it. */
  text: string;
}

/** Deeper documents are refused: no SAML response comes near. */
const MAX_DEPTH = 64;
/** The namespace of `xmlns` and `xmlns:…`. */
const NAMESPACES = 'http://www.w3.org/2000/xmlns/';

/**
 * Reads a document without a document type declaration, so that nothing can be defined in it that expands.
 * @returns the root element; undefined where the text is not well-formed, declares a type or is nested too deeply
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
