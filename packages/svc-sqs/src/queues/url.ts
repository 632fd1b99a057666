/** Location of a queue in its URL; the region is the request's. */
export interface QueueAddress {
  /** Undefined for a bare name: the caller's own account. */
  accountId: string | undefined;
  name: string;
}

/** Creates the URL of a queue under the address of the request. */
export function formatQueueUrl(endpoint: string, accountId: string, name: string): string {
  return `${endpoint}/${accountId}/${name}`;
}

/**
 * Parses a queue URL. Only its last two path segments count: scheme, host, port and preceding path are ignored; a path
 * alone and a bare queue name are accepted.
 */
export function parseQueueUrl(url: string): QueueAddress {
  const end = url.endsWith('/') ? url.length - 1 : url.length;
  const nameStart = url.lastIndexOf('/', end - 1) + 1;
  const name = url.slice(nameStart, end);
  const accountStart = nameStart - 13;
  const separated = accountStart <= 0 || url[accountStart - 1] === '/';
  const accountId = nameStart >= 13 && separated ? url.slice(accountStart, nameStart - 1) : '';
  return { accountId: /^\d{12}$/.test(accountId) ? accountId : undefined, name };
}
