/** Replaces a part of a text. */
export type Replace = (part: string) => string;

/** Largest local part and domain of an e-mail address in characters. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const LOCAL = /[A-Za-z0-9._%+-]/;
const DOMAIN = /[A-Za-z0-9.-]/;

/**
 * Replaces the e-mail addresses of a text. It expands around each `@`, because a regular expression would take quadratic time
 * for long texts without one.
 */
export function replaceEmails(text: string, replace: Replace): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > from && at - start < MAX_LOCAL && LOCAL.test(text[start - 1]!)) start--;
    let end = at + 1;
    while (end < text.length && end - at <= MAX_DOMAIN && DOMAIN.test(text[end]!)) end++;
    while (end > at + 1 && '.-'.includes(text[end - 1]!)) end--;
    const domain = text.slice(at + 1, end);
    if (start === at || !/\.[A-Za-z]{2,}$/.test(domain)) continue;
    out += text.slice(from, start) + replace(text.slice(start, end));
    from = end;
  }
  return from === 0 ? text : out + text.slice(from);
}

const KEY_BEGIN = '-----BEGIN ';
const KEY_END = '-----END ';

/** Replaces the private keys of a text in PEM, with their first and last lines. */
export function replacePrivateKeys(text: string, replace: Replace): string {
  let out = '';
  let from = 0;
  for (let begin = text.indexOf(KEY_BEGIN); begin >= 0; begin = text.indexOf(KEY_BEGIN, begin + 1)) {
    if (!/^[A-Z ]{0,40}PRIVATE KEY-----/.test(text.slice(begin + KEY_BEGIN.length, begin + 80))) continue;
    const last = text.indexOf(KEY_END, begin);
    const close = last < 0 ? -1 : text.indexOf('-----', last + KEY_END.length);
    const end = close < 0 ? text.length : close + 5;
    out += text.slice(from, begin) + replace(text.slice(begin, end));
    from = end;
    begin = end - 1;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** Access key ids, and unique ids of IAM, from which the account can be computed. */
const KEY_ID = /\b(A3T[A-Z0-9]|ABIA|ACCA|AGPA|AIDA|AIPA|AKIA|ANPA|ANVA|APKA|AROA|ASCA|ASIA)[A-Z0-9]{16,17}\b/g;

/** Replaces access key ids and unique ids of IAM. @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html */
export const replaceKeyIds = (text: string, replace: (id: string, prefix: string) => string): string =>
  text.replace(KEY_ID, replace);

const TWELVE_DIGITS = /(?<![0-9])[0-9]{12}(?![0-9])/g;
const LETTER = /[A-Za-z]/;

/**
 * Replaces account ids: 12 digits that no further digit or letter touches, and known ones between letters.
 * @param isKnown whether digits are an account that was replaced before
 */
export function replaceAccounts(text: string, isKnown: (id: string) => boolean, replace: Replace): string {
  return text.replace(TWELVE_DIGITS, (id, at: number) => {
    const touches = LETTER.test(text[at - 1] ?? '') || LETTER.test(text[at + id.length] ?? '');
    return touches && !isKnown(id) ? id : replace(id);
  });
}

/** JSON Web Tokens; the limits keep the time linear. */
const JWT = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4096}\.[A-Za-z0-9_-]{2,16384}\.[A-Za-z0-9_-]{0,4096}/g;
/** Parameters of presigned URLs. */
const PRESIGNED =
  /([?&;](?:X-Amz-Signature|X-Amz-Credential|X-Amz-Security-Token|Signature|AWSAccessKeyId)=)([^&\s"'<>\\]+)/gi;
/** Names that contain such a word and are no secrets: cursors, idempotency tokens, and names and ARNs of secrets. */
const HARMLESS =
  /(?:next|page|continuation|pagination|client|request|idempotency|marker|start(?:ing)?|task|lock|sequence|change|version|update)_?-?(?:request)?_?-?token$|^token_?-?(?:type|use)$|secret_?-?(?:id|name|arn|version)|(?:arn|type|name|length|policy|count|validity|units?|expiry|expires(?:in)?|date|time|enabled|required)$/i;
/** Words in names of secrets. */
const WORDS = 'passw(?:or)?d|passphrase|secret|token|api[_-]?key|private[_-]?key|credential|authorization';
const SECRET_NAME = new RegExp(WORDS, 'i');
/** A name with such a word. */
const NAME = `[\\w.-]{0,40}?(?:${WORDS})[\\w.-]{0,40}`;
/**
 * A member of a JSON document, also of one that is a string in another: then each quotation mark has the same escape. A text
 * that is cut may end within the value.
 */
const JSON_MEMBER = new RegExp(`((\\\\{0,7})"(${NAME})\\2"\\s{0,8}:\\s{0,8}\\2")([\\s\\S]*?)(?:(?<!\\\\)\\2"|$)`, 'gi');
const FORM_MEMBER = new RegExp(`((?:^|[?&])${NAME}=)([^&\\s]+)`, 'gi');

/** Values that identify a secret or a role instead of being one. */
const REFERENCE = /^(?:arn:|\{\{resolve:)/;

/**
 * Whether a value with a name of the user's own, such as an element of a map, is probably a secret. ARNs and dynamic
 * references of CloudFormation are none.
 */
export const isNamedSecret = (name: string, value: unknown): boolean =>
  SECRET_NAME.test(name) && !HARMLESS.test(name) && !(typeof value === 'string' && REFERENCE.test(value));

/** Replaces tokens, and parts of URLs, JSON and forms that are secrets by their names. */
export function replaceNamedSecrets(text: string, replace: Replace): string {
  let out = text.includes('eyJ') ? text.replace(JWT, replace) : text;
  if (out.includes('=')) {
    out = out.replace(PRESIGNED, (_, name: string, value: string) => name + replace(value));
    out = out.replace(FORM_MEMBER, (whole, name: string, value: string) =>
      isNamedSecret(name.replace(/^[?&]|=$/g, ''), value) ? name + replace(value) : whole,
    );
  }
  if (!out.includes('"')) return out;
  return out.replace(JSON_MEMBER, (whole, head: string, mark: string, name: string, value: string) =>
    isNamedSecret(name, value) ? `${head}${replace(value)}${mark}"` : whole,
  );
}
