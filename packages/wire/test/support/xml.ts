import { SaxesParser } from 'saxes';

/** An element in comparable form. */
export interface XmlTree {
  name: string;
  attributes: Record<string, string>;
  children: XmlTree[];
  text: string;
}

/**
 * Parses a document for comparison. White space between elements and the order of siblings with different names are
 * ignored.
 */
export function xmlTree(text: string): XmlTree {
  const root: XmlTree = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlTree = { name, attributes: { ...attributes }, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (part) => {
    open.at(-1)!.text += part;
  });
  parser.on('cdata', (part) => {
    open.at(-1)!.text += part;
  });
  parser.on('closetag', () => {
    const element = open.pop()!;
    if (element.children.length > 0 || /^\s*\n\s*$/.test(element.text)) element.text = '';
    element.children.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return root.children[0]!;
}
