/** An encoded word of RFC 2047. */
const WORD = /=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi;

function decodeWord(whole: string, charset: string, encoding: string, text: string): string {
  const bytes =
    encoding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        );
  try {
    // Invalid bytes become replacement characters.
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // Unknown character set.
    return whole;
  }
}

/**
 * Decodes encoded words in a metadata header, as S3 does before storing it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html#UserMetadata
 */
export const decodedWords = (value: string): string => (value.includes('=?') ? value.replace(WORD, decodeWord) : value);

/** Whether a character must be encoded. */
const UNSAFE = /[^\t\r\n\x20-\x7e]/g;

/** Encodes text with Q encoding, for mostly readable text. */
function quoted(value: string): string {
  let out = '';
  for (const byte of Buffer.from(value)) {
    const char = String.fromCharCode(byte);
    if (char === ' ') out += '_';
    else if (byte < 0x20 || byte > 0x7e || '=_?'.includes(char))
      out += `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    else out += char;
  }
  return out;
}

/** Encodes a metadata value for a response: as encoded word if it is not ASCII. */
function mailSafe(value: string): string {
  const unsafe = value.match(UNSAFE)?.length ?? 0;
  if (unsafe === 0) return value;
  const readable = value.length - unsafe > unsafe;
  return readable ? `=?UTF-8?Q?${quoted(value)}?=` : `=?UTF-8?B?${Buffer.from(value).toString('base64')}?=`;
}

/** Returns the user metadata as in responses. */
export function mailSafeMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const name in metadata) out[name] = mailSafe(metadata[name]!);
  return out;
}
