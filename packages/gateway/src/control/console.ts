import { ControlError, type Kernel, readAtMost } from '@emu/core';
import { type InferOutput, object, optional, pipe, regex, strictObject, string, unknown } from 'valibot';
import type { Route } from './route.ts';
import { validate } from './validate.ts';

/** What the page may load and who may frame it; images that it shows are made from what it has read. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** What was stored is never taken for a page or script of emu's. */
const BYTES_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Most bytes of a streamed output that a call answers. */
const MAX_STREAM_BYTES = 6 * 1024 * 1024;
/** Most resources of one answer. */
const MAX_RESOURCES = 5000;

const accountPattern = regex(/^\d{12}$/, 'must be 12 digits');
const regionPattern = regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/, 'must be a region');

const call = strictObject(
  {
    service: string('must be a string'),
    operation: string('must be a string'),
    accountId: optional(pipe(string('must be a string'), accountPattern)),
    region: optional(pipe(string('must be a string'), regionPattern)),
    input: optional(unknown()),
  },
  'The body must be an object with service, operation and, if wanted, accountId, region and input.',
);

const scope = object({
  accountId: pipe(string(), accountPattern),
  region: pipe(string(), regionPattern),
});

/**
 * `/_emulator/console`: a page by which people look at the emulator and use it, and the routes that it needs besides
 * the others. The page is loaded when it is first asked for.
 */
export function consoleRoutes(kernel: Kernel): Route[] {
  const routes: Route[] = [
    asset('', 'text/html; charset=utf-8', 'html'),
    asset('/app.js', 'text/javascript; charset=utf-8', 'js'),
    asset('/app.css', 'text/css; charset=utf-8', 'css'),
    {
      method: 'GET',
      path: '/_emulator/console/resources',
      handle({ query }) {
        const { accountId, region } = validate(scope, {
          accountId: query.get('account_id') ?? kernel.settings.accountId,
          region: query.get('region') ?? kernel.settings.region,
        });
        return { json: { accountId, region, ...resourcesOf(kernel, accountId, region) } };
      },
    },
  ];
  return [
    ...routes.map((each) => ({ ...each, changesNothing: true as const })),
    {
      method: 'POST',
      path: '/_emulator/console/call',
      jsonOnly: true,
      // The call itself waits until what it changed is on disk.
      changesNothing: true,
      async handle(request) {
        return { json: { output: await jsonOf(await run(kernel, validate(call, request.body), request.endpoint)) } };
      },
    },
    bytesRoute(kernel, 'GET'),
    bytesRoute(kernel, 'PUT'),
  ];
}

/** Runs an operation as the root user of the account. */
function run(
  kernel: Kernel,
  { service, operation, input, accountId, region }: InferOutput<typeof call>,
  endpoint: string,
  bytes?: AsyncIterable<Uint8Array>,
): Promise<unknown> {
  if (!kernel.services.includes(service))
    throw new ControlError(501, 'NotImplemented', `emu has no service ${service}.`);
  const place = { ...(accountId && { accountId }), ...(region && { region }) };
  return kernel.callJson(service, operation, input ?? {}, { ...place, endpoint }, bytes);
}

/**
 * `GET` and `PUT /_emulator/console/bytes`: a call whose query has what the body of the others has, so that the body is the
 * streamed part of the input (PUT), and the answer that of the output (GET), of any size.
 */
function bytesRoute(kernel: Kernel, method: 'GET' | 'PUT'): Route {
  return {
    method,
    path: '/_emulator/console/bytes',
    changesNothing: true,
    ...(method === 'PUT' && { takesBytes: true as const }),
    async handle({ query, body, endpoint }) {
      const { input = '{}', ...named } = Object.fromEntries(query);
      const wanted = validate(call, { ...named, input: parsed(input) });
      const output = await run(
        kernel,
        wanted,
        endpoint,
        method === 'PUT' ? (body as AsyncIterable<Uint8Array>) : undefined,
      );
      if (method === 'PUT') return { json: { output: await jsonOf(output) } };
      const content = Object.values((output ?? {}) as object).find(isContent);
      if (!content) throw new ControlError(400, 'InvalidRequest', `${wanted.operation} answers no bytes.`);
      return { contentType: 'application/octet-stream', headers: BYTES_HEADERS, body: content };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError(400, 'InvalidRequest', 'input must be JSON.');
  }
}

const isContent = (value: unknown): value is Uint8Array | AsyncIterable<Uint8Array> =>
  value instanceof Uint8Array || isStream(value);
const isStream = (value: unknown): value is AsyncIterable<Uint8Array> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function asset(path: string, contentType: string, part: 'html' | 'js' | 'css'): Route {
  return {
    method: 'GET',
    path: `/_emulator/console${path}`,
    async handle() {
      const { default: page } = await import('../generated/console.json', { with: { type: 'json' } });
      return { contentType, headers: PAGE_HEADERS, body: Buffer.from(page[part]) };
    },
  };
}

/** The resources of an account in a region, and those of its account that have none. */
function resourcesOf(kernel: Kernel, accountId: string, region: string) {
  const resources = [];
  for (const { arn, service, type, tags } of kernel.resources.list(accountId, region)) {
    if (resources.length === MAX_RESOURCES) return { resources, truncated: true };
    resources.push({ arn, service, type, tags: tags ?? {} });
  }
  return { resources, truncated: false };
}

/**
 * An output as JSON: bytes in base64, times in ISO 8601.
 * @throws ControlError where a streamed part is larger than the console shows
 */
async function jsonOf(value: unknown): Promise<unknown> {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return Promise.all(value.map(jsonOf));
  if (isStream(value)) {
    const bytes = await readAtMost(value, MAX_STREAM_BYTES);
    if (!bytes) throw new ControlError(413, 'OutputTooLarge', `The output is larger than ${MAX_STREAM_BYTES} bytes.`);
    return bytes.toString('base64');
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(await Promise.all(entries.map(async ([name, each]) => [name, await jsonOf(each)])));
}
