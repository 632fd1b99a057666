/** A JSON object whose members only its reader knows. */
// biome-ignore lint/suspicious/noExplicitAny: outputs are shown, and each view reads the members that AWS documents
export type Json = any;

/** Selected account and region. */
export const place = { accountId: '', region: '' };

/** Token that proves to control routes that a request comes from this page, and not from another page served by emu. */
const TOKEN = document.querySelector<HTMLMetaElement>('meta[name="emulator-token"]')!.content;

/** Calls a control route; a body is sent as JSON. @throws Error with emu's message */
export async function control(method: string, path: string, body?: unknown): Promise<Json> {
  const text = await (await asked(path, { method, ...(body !== undefined && jsonOf(body)) })).text();
  return text ? JSON.parse(text) : undefined;
}

const jsonOf = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Calls a control route. @throws Error with emu's message */
export async function asked(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { ...init, headers: { ...init.headers, 'x-emulator-token': TOKEN } });
  if (response.ok) return response;
  const text = await response.text();
  const { code = response.status, message = response.statusText } = (text ? JSON.parse(text) : {}).error ?? {};
  throw new Error(`${code}: ${message}`);
}

/**
 * Calls an operation of a service in the selected account and region.
 * @throws Error with AWS's code and message
 */
export async function call(service: string, operation: string, input: Json = {}): Promise<Json> {
  const { output } = await control('POST', '/_emulator/console/call', { service, operation, input, ...place });
  return output ?? {};
}

/** Returns the items of all pages of a list, up to a limit. */
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

/** Reads the streamed output of an operation. @throws Error with AWS's code and message */
export async function download(service: string, operation: string, input: Json): Promise<Blob> {
  const init = jsonOf({ service, operation, input, ...place });
  return (await asked('/_emulator/console/bytes', { method: 'POST', ...init })).blob();
}

/** Calls an operation with bytes as its streamed input. @throws Error with AWS's code and message */
export async function upload(service: string, operation: string, input: Json, body: Blob): Promise<void> {
  const query = new URLSearchParams({ service, operation, input: JSON.stringify(input), ...place });
  await asked(`/_emulator/console/bytes?${query}`, { method: 'PUT', body });
}

/** Encodes text as base64 for a blob input. */
export const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/** Decodes base64 to text. */
export const fromBase64 = (text: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));

/** Repeats an action until the view is closed. Each run waits for the previous one. */
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
