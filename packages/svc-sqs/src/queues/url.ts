/** Where a queue is, as its URL says: the region is that of the request. */
export interface QueueAddress {
  /** Undefined where the URL is a bare name: the caller's own account. */
  accountId: string | undefined;
  name: string;
}

/** Writes the URL of a queue under the address the caller reached the service by. */
export function formatQueueUrl(endpoint: string, accountId: string, name: string): string {
  return `${endpoint}/${accountId}/${name}`;
}

/**
 * Reads the URL of a queue. Only its last two path segments count: any scheme, host, port and path before them name the
 * same queue, as do a path alone and a bare queue name.
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
