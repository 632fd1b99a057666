// Characters to escape: markup, quotes, carriage returns and line separators, which parsers convert to line feeds, and
// control characters, which AWS also writes as references.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must be escaped
const TEXT = /[&<>"\u0000-\u0008\u000b-\u001f\u0085\u2028\ufffe\uffff]/;
const ALL_TEXT = new RegExp(TEXT, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, with the white space that attributes normalise
const ALL_ATTRIBUTE = /[&<>"\u0000-\u001f\u0085\u2028\ufffe\uffff]/g;

function reference(character: string): string {
  switch (character) {
    case '&':
      return '&amp;';
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    case '"':
      return '&quot;';
    default:
      return `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`;
  }
}

/** Encodes text as the content of an XML element. */
export function escapeXml(text: string): string {
  return TEXT.test(text) ? text.replace(ALL_TEXT, reference) : text;
}

/** Encodes text as an XML attribute value in double quotes. */
export function escapeXmlAttribute(text: string): string {
  return text.replace(ALL_ATTRIBUTE, reference);
}

/** Returns a namespace declaration after a space; empty without a namespace. */
export function declareNamespace(namespace: { uri: string; prefix?: string } | undefined): string {
  if (!namespace) return '';
  const { uri, prefix } = namespace;
  return ` xmlns${prefix ? `:${prefix}` : ''}="${escapeXmlAttribute(uri)}"`;
}

/** Encodes an element with text. */
export function xmlElement(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
