import { readsOnly } from '@emu/core';
import type { DecodedOperation, ServerProtocol, WireRequest } from '@emu/wire';

/**
 * Whether a request is no more than a link that would change something: a GET with its operation in the query and without
 * an `Authorization` header, as any page can have its browser send by an image, from an old browser without a word of the
 * page. A signature in the query does not count, because nobody has verified it.
 * @param matched the operation that it names
 */
export function isChangeByLink(
  { method, headers }: WireRequest,
  { protocol }: ServerProtocol,
  { name, operation }: DecodedOperation,
): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (protocol !== 'awsQuery' && protocol !== 'ec2Query') return false;
  return headers.authorization === undefined && operation.auth !== 'none' && !readsOnly(name);
}
