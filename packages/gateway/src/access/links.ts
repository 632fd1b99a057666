import { readsOnly } from '@emu/core';
import type { DecodedOperation, ServerProtocol, WireRequest } from '@emu/wire';

/**
 * Whether a request is a change by a mere link: a GET with its operation in the query and without an `Authorization`
 * header. Any page can make a browser send it by an image, and old browsers send no header about the page. A signature
 * in the query does not count, because it is not verified.
 * @param matched the operation of the request
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
