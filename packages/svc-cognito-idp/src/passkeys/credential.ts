import { isObject } from '@emu/wire';
import { invalid } from '../errors.ts';

/** What a browser sends of a credential, as far as it is looked at before the library verifies it. */
export interface SentCredential {
  id: string;
  /** Where the browser made or used it. */
  origin: string;
  challenge: string;
  /** All that was sent. */
  json: Record<string, unknown>;
}

/**
 * Reads a credential as a browser's `PublicKeyCredential` gives it in JSON.
 * @throws AwsError `InvalidParameterException` for what is none
 */
export function readCredential(value: unknown): SentCredential {
  const response = isObject(value) ? value.response : undefined;
  if (!isObject(value) || typeof value.id !== 'string' || !isObject(response)) throw invalid('Invalid credential.');
  if (typeof response.clientDataJSON !== 'string') throw invalid('Invalid credential.');
  const data = jsonOf(Buffer.from(response.clientDataJSON, 'base64url').toString());
  if (!isObject(data) || typeof data.origin !== 'string' || typeof data.challenge !== 'string')
    throw invalid('Invalid credential.');
  return {
    id: value.id,
    origin: data.origin,
    challenge: data.challenge,
    json: { clientExtensionResults: {}, ...value },
  };
}

/** JSON of a text; undefined for what is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
