import { lambdaError } from '../errors.ts';

const WANTED = "expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Rejects a payload that is not JSON, with the message of AWS's parser.
 * @throws AwsError `InvalidRequestContentException`
 */
export function checkJson(payload: Uint8Array): void {
  let text: string;
  try {
    text = utf8.decode(payload);
  } catch {
    throw invalidBytes(payload);
  }
  try {
    JSON.parse(text);
  } catch (error) {
    const position = Number(/at position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    if (position >= text.trimEnd().length) throw notJson('Unexpected end-of-input', text, position);
    throw notJson(`Unexpected character (${named(text.codePointAt(position)!)}): ${WANTED}`, text, position + 1);
  }
}

/** Returns the first byte that is not valid UTF-8: AWS's parser assumes Latin-1 at the start of the text. */
function invalidBytes(payload: Uint8Array): Error {
  let valid = 0;
  for (let low = 0, high = payload.length; low < high; ) {
    const middle = (low + high + 1) >> 1;
    const decoded = new TextDecoder().decode(payload.subarray(0, middle), { stream: true });
    if (decoded.includes('\ufffd')) high = middle - 1;
    else low = middle;
    valid = low;
  }
  const byte = payload[valid]!;
  const before = new TextDecoder().decode(payload.subarray(0, valid));
  if (before.trim() === '') return notJson(`Unexpected character (${named(byte)}): ${WANTED}`, before, valid + 1);
  return notJson(`Invalid UTF-8 start byte 0x${byte.toString(16)}`, before, valid + 2);
}

function named(code: number): string {
  const control = code < 32 || (code >= 127 && code < 160);
  return control ? `(CTRL-CHAR, code ${code})` : `'${String.fromCodePoint(code)}' (code ${code})`;
}

function notJson(what: string, text: string, column: number): Error {
  const lines = text.slice(0, column).split('\n');
  const place = lines.length > 1 ? lines.at(-1)!.length + 1 : column;
  return lambdaError(
    'InvalidRequestContentException',
    `Could not parse request body into json: Could not parse payload into json: ${what}\n at [Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: ${lines.length}, column: ${place}]`,
  );
}
