// Characters that may not stand for themselves: markup, quotes, the carriage returns and line separators that parsers
// change to line feeds, and control characters, which AWS writes as references too.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what has to be escaped
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

/** Text as the content of an XML element. */
export function escapeXml(text: string): string {
  return TEXT.test(text) ? text.replace(ALL_TEXT, reference) : text;
}

/** Text as the value of an XML attribute in double quotes. */
export function escapeXmlAttribute(text: string): string {
  return text.replace(ALL_ATTRIBUTE, reference);
}

/** A namespace declaration with a space before it; empty where there is no namespace. */
export function declareNamespace(namespace: { uri: string; prefix?: string } | undefined): string {
  if (!namespace) return '';
  const { uri, prefix } = namespace;
  return ` xmlns${prefix ? `:${prefix}` : ''}="${escapeXmlAttribute(uri)}"`;
}

/** An element of text. */
export function xmlElement(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
