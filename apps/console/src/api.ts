/** An object of JSON whose members are known to nobody but who reads them. */
// biome-ignore lint/suspicious/noExplicitAny: outputs are shown, and each view reads the members that AWS documents
export type Json = any;

/** Account and region that the page looks at. */
export const place = { accountId: '', region: '' };

/** Asks a control route; a body is sent as JSON. @throws Error with emu's message */
export async function control(method: string, path: string, body?: unknown): Promise<Json> {
  const head =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...head });
  const text = await response.text();
  const answer: Json = text ? JSON.parse(text) : undefined;
  if (response.ok) return answer;
  const { code = response.status, message = response.statusText } = answer?.error ?? {};
  throw new Error(`${code}: ${message}`);
}

/** Calls an operation of a service in the chosen account and region. @throws Error with AWS's code and message */
export async function call(service: string, operation: string, input: Json = {}): Promise<Json> {
  const { output } = await control('POST', '/_emulator/console/call', { service, operation, input, ...place });
  return output ?? {};
}

/** The items of every page of a listing, up to a limit. */
export async function pages(
  service: string,
  operation: string,
  input: Json,
  [from, to, items]: readonly [token: string, next: string, items: string],
  most = 1000,
): Promise<Json[]> {
  const found: Json[] = [];
  let token: string | undefined;
  do {
    const page: Json = await call(service, operation, { ...input, ...(token && { [from]: token }) });
    found.push(...(page[items] ?? []));
    token = page[to];
  } while (token && found.length < most);
  return found;
}

/** A request of S3's own protocol, for bytes. @throws Error with S3's code and message */
export async function object(method: string, bucket: string, key: string, body?: Blob): Promise<Response> {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${place.accountId}/${date.slice(0, 8)}/${place.region}/s3/aws4_request`;
  const path = [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
  // A dot segment would be taken out of the path by the browser.
  if (key.split('/').some((part) => part === '.' || part === '..'))
    throw new Error('A browser cannot ask for a key with the segments . or .. in it.');
  const response = await fetch(`/${path}`, {
    method,
    ...(body && { body }),
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
      'x-amz-date': date,
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      ...(body && { 'content-type': body.type || 'application/octet-stream' }),
    },
  });
  if (response.ok) return response;
  const xml = new DOMParser().parseFromString(await response.text(), 'application/xml');
  const textOf = (name: string) => xml.querySelector(name)?.textContent;
  throw new Error(`${textOf('Code') ?? response.status}: ${textOf('Message') ?? response.statusText}`);
}

/** Text as an operation takes bytes: in base64. */
export const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/** Bytes in base64 as text. */
export const fromBase64 = (text: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));

/** Does something again and again until the view is left. Each run waits for the one before. */
export async function repeat(signal: AbortSignal, milliseconds: number, act: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    if (!document.hidden) await act();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
  }
}
