import { isObject, parseJson } from '@emu/wire';
import { invalidParameter } from '../errors.ts';

/** The parts of a browser's credential that are read before its verification. */
export interface SentCredential {
  id: string;
  /** Origin of the page that created or used it. */
  origin: string;
  challenge: string;
  /** The complete credential. */
  json: Record<string, unknown>;
}

/**
 * Parses a browser's `PublicKeyCredential` in JSON form.
 * @throws AwsError `InvalidParameterException` for an invalid credential
 */
export function readCredential(value: unknown): SentCredential {
  const response = isObject(value) ? value.response : undefined;
  if (!isObject(value) || typeof value.id !== 'string' || !isObject(response))
    throw invalidParameter('Invalid credential.');
  if (typeof response.clientDataJSON !== 'string') throw invalidParameter('Invalid credential.');
  const data = jsonOf(Buffer.from(response.clientDataJSON, 'base64url').toString());
  if (!isObject(data) || typeof data.origin !== 'string' || typeof data.challenge !== 'string')
    throw invalidParameter('Invalid credential.');
  return {
    id: value.id,
    origin: data.origin,
    challenge: data.challenge,
    json: { clientExtensionResults: {}, ...value },
  };
}

/** Parses JSON; undefined for invalid text. */
export function jsonOf(text: string): unknown {
  try {
    return parseJson(text) as unknown;
  } catch {
    return undefined;
  }
}
