import type { Kernel } from '@emu/core';
import { ControlError, type ControlRequest, type ControlResponse, readAtMost } from '@emu/core/service';
import { type InferOutput, object, optional, pipe, regex, strictObject, string, unknown } from 'valibot';
import type { Route } from './route.ts';
import { validate } from './validate.ts';

/**
 * Restricts the sources and frames of the page. It creates images from responses that it has read. Pages that open it
 * get no reference to it.
 */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Stored bytes are for the page's script. A browser that opens them saves them as a file. */
const BYTES_HEADERS = { 'content-disposition': 'attachment', 'cache-control': 'no-store' };

/** Placeholder of the token in the page. */
const TOKEN = '{{token}}';

/** Largest streamed output of a call in bytes. */
const MAX_STREAM_BYTES = 6 * 1024 * 1024;
/** Largest number of resources in a response. */
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
 * `/_emulator/console`: a page to view and use the emulator, and its own routes. The page is loaded at its first
 * request.
 * @param token sent by the page with requests to control routes
 */
export function consoleRoutes(kernel: Kernel, token: string): Route[] {
  const routes: Route[] = [
    asset('', 'text/html; charset=utf-8', 'html', (html) => html.replace(TOKEN, token)),
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
      // The call itself waits until its changes are on disk.
      changesNothing: true,
      async handle(request) {
        return { json: { output: await jsonOf(await run(kernel, validate(call, request.body), request.endpoint)) } };
      },
    },
    {
      method: 'POST',
      path: '/_emulator/console/bytes',
      jsonOnly: true,
      changesNothing: true,
      handle: (request) => download(kernel, request),
    },
    {
      method: 'PUT',
      path: '/_emulator/console/bytes',
      takesBytes: true,
      changesNothing: true,
      handle: (request) => upload(kernel, request),
    },
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
 * Responds with the bytes of an operation's output, of any size.
 * @throws ControlError without running an operation that has no bytes in its output
 */
async function download(kernel: Kernel, { body, endpoint }: ControlRequest): Promise<ControlResponse> {
  const wanted = validate(call, body);
  const noBytes = new ControlError(400, 'InvalidRequest', `${wanted.operation} answers no bytes.`);
  if (kernel.services.includes(wanted.service) && !(await answersBytes(kernel, wanted))) throw noBytes;
  const output = await run(kernel, wanted, endpoint);
  const content = Object.values((output ?? {}) as object).find(isContent);
  if (!content) throw noBytes;
  return { contentType: 'application/octet-stream', headers: BYTES_HEADERS, body: content };
}

/**
 * Whether the output of an operation has a member of bytes; true for an unknown operation, whose call fails by its
 * name.
 */
async function answersBytes(kernel: Kernel, { service, operation }: InferOutput<typeof call>): Promise<boolean> {
  const { model } = (await kernel.service(service)).codec;
  const known = Object.hasOwn(model.operations, operation) ? model.operations[operation] : undefined;
  if (!known) return true;
  const output = known.output && model.shapes[known.output.shape];
  return Object.values(output?.members ?? {}).some(({ shape }) => model.shapes[shape]?.type === 'blob');
}

/**
 * Runs an operation with the body as its streamed input, of any size. The query has the members that are usually in the
 * body.
 */
async function upload(kernel: Kernel, { query, body, endpoint }: ControlRequest): Promise<ControlResponse> {
  const { input = '{}', ...named } = Object.fromEntries(query);
  const wanted = validate(call, { ...named, input: parsed(input) });
  const output = await run(kernel, wanted, endpoint, body as AsyncIterable<Uint8Array>);
  return { json: { output: await jsonOf(output) } };
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

function asset(
  path: string,
  contentType: string,
  part: 'html' | 'js' | 'css',
  finish = (text: string): string => text,
): Route {
  return {
    method: 'GET',
    path: `/_emulator/console${path}`,
    async handle() {
      const { default: page } = await import('../generated/console.json', { with: { type: 'json' } });
      return { contentType, headers: PAGE_HEADERS, body: Buffer.from(finish(page[part])) };
    },
  };
}

/** Returns the resources of an account in a region, and those of the account without a region. */
function resourcesOf(kernel: Kernel, accountId: string, region: string) {
  const resources = [];
  for (const { arn, service, type, tags } of kernel.resources.list(accountId, region)) {
    if (resources.length === MAX_RESOURCES) return { resources, truncated: true };
    resources.push({ arn, service, type, tags: tags ?? {} });
  }
  return { resources, truncated: false };
}

/**
 * Converts an output to JSON: bytes in base64, times in ISO 8601.
 * @throws ControlError for a streamed part that is larger than the console shows
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
