/** Replacement of a secret. */
export const MASK = '***';
/** Names of headers with secrets, in lower case. */
const SECRET_HEADERS = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-amz-security-token',
  'x-api-key',
]);
/** Fewest characters of a secret that is masked inside a longer text. */
const MIN_INSIDE = 4;
/** Characters of a long secret that are looked for in a text, which may contain the start only. */
const START = 64;
/** Most texts of masked values, and most levels, that are looked for in errors. */
const MAX_TEXTS = 64;
const MAX_LEVELS = 12;

/**
 * Matches a secret in a JSON document, also in one that is escaped as a string of another. The first group is the
 * escape before each quotation mark; more than seven backslashes belong to deeper levels than documents have.
 */
const IN_JSON = new RegExp(
  `(\\\\{0,7})"(${[
    'secret_?string',
    'secret_?binary',
    'secret_?access_?key',
    'secret_?key',
    'session_?token',
    'access_?token',
    'refresh_?token',
    'id_?token',
    'authorization_?token',
    '\\w*password',
    'client_?secret',
    'private_?key',
    'platform_?credential',
    'api_?key_?value',
    ...SECRET_HEADERS,
  ].join('|')})\\1"(\\s*:\\s*\\[?\\s*)\\1".*?(?:(?<!\\\\)\\1"|$)`,
  'gis',
);
/** Matches the secret parameters of a pre-signed URL, and the signature of an authorization header. */
const IN_QUERY = /\b((?:X-Amz-)?(?:Signature|Security-Token)=)[^&\s"'<>\\,]+/gi;

/** Whether a header with a name contains a secret. */
export const isSecretHeader = (name: string): boolean => SECRET_HEADERS.has(name.toLowerCase());

/**
 * Returns the start of a text with its secrets masked: those in JSON documents and pre-signed URLs by their names, and
 * known ones.
 * @param length characters of the text before masking
 */
export function withoutSecrets(text: string, length: number, secrets: readonly string[] = []): string {
  let shown = text;
  for (const secret of secrets) shown = withoutSecret(shown, secret, length);
  shown = shown.slice(0, length);
  if (shown.includes('"')) shown = shown.replace(IN_JSON, `$1"$2$1"$3$1"${MASK}$1"`);
  return shown.includes('=') ? shown.replace(IN_QUERY, `$1${MASK}`) : shown;
}

/** Masks a secret in the part of a text that is shown. */
function withoutSecret(text: string, secret: string, length: number): string {
  if (text === secret && text !== '') return MASK;
  if (secret.length < MIN_INSIDE) return text;
  // A secret may begin in the shown part and end after it.
  const shown = text.slice(0, length + secret.length);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const masked = shown.replaceAll(secret, MASK).replaceAll(escaped, MASK);
  if (secret.length <= START) return masked;
  const at = masked.indexOf(secret.slice(0, START));
  return at < 0 ? masked : `${masked.slice(0, at)}${MASK}`;
}

/** Adds the texts of a value, including keys of maps, to a list of bounded length. */
export function collectTexts(value: unknown, texts: string[], level: number): void {
  if (texts.length >= MAX_TEXTS || level > MAX_LEVELS) return;
  if (typeof value === 'string') texts.push(value);
  else if (value instanceof Uint8Array) texts.push(Buffer.from(value.subarray(0, START)).toString());
  else if (Array.isArray(value)) for (const item of value) collectTexts(item, texts, level + 1);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      if (key.length >= MIN_INSIDE) texts.push(key);
      collectTexts(item, texts, level + 1);
    }
}
