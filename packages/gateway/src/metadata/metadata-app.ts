import type { Kernel } from '@emu/core';
import { headerOf } from '@emu/wire';
import type { Hono } from 'hono/tiny';
import type { AppContext, AppEnv } from '../application/app-context.ts';
import { routesApp } from '../application/routes-app.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import { writesBefore } from '../request/writes.ts';
import { Instance } from './instance.ts';
import { type MetadataNode, metadataTree } from './metadata-tree.ts';

const TOKEN = 'x-aws-ec2-metadata-token';
const TTL = 'x-aws-ec2-metadata-token-ttl-seconds';
/** Longest lifetime of a token in seconds. */
const LONGEST_TTL = 21_600;
/** Largest number of tokens. Above it, the oldest is evicted. */
const MAX_TOKENS = 10_000;

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
};

/**
 * Creates the application of the instance metadata service under `/latest/*`, with and without tokens (IMDSv2 and
 * IMDSv1).
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
export function metadataApp({ kernel, options }: { kernel: Kernel; options: ResolvedGatewayOptions }): Hono<AppEnv> {
  const tokens = new Tokens(kernel);
  const root = metadataTree(kernel, new Instance(kernel, options.imdsInstanceId), options.credentialsRoleArn);
  const app = routesApp(kernel);
  app.use(async (c, next) => {
    await next();
    await writesBefore(c.env.visit.request.method, kernel.credentials.store.committed());
  });
  app.put('/latest/api/token', (c) => issueToken(c, tokens));
  app.all('/latest/api/token', () => failure(405, { allow: 'OPTIONS, PUT' }));
  app.get('*', (c) => {
    const { request, path } = c.env.visit;
    const token = headerOf(request.headers, TOKEN);
    if (token !== undefined && !tokens.has(token)) return failure(401);
    return lookup(root, path.slice('/latest'.length)) ?? failure(404);
  });
  app.all('*', () => failure(405, { allow: 'GET, HEAD, OPTIONS' }));
  return app;
}

/** `PUT /latest/api/token`. */
function issueToken(c: AppContext, tokens: Tokens): Response {
  const { headers } = c.env.visit.request;
  // A request through a proxy may come from another machine.
  if (headers['x-forwarded-for'] !== undefined) return failure(403);
  const ttl = headerOf(headers, TTL) ?? '';
  if (!/^\d{1,5}$/.test(ttl) || Number(ttl) < 1 || Number(ttl) > LONGEST_TTL) return failure(400);
  return text(tokens.issue(Number(ttl)), { [TTL]: ttl });
}

/** Returns the entry at a path; undefined for an unknown path. @param below the path after `/latest` */
function lookup(root: MetadataNode, below: string): Response | undefined {
  let node: MetadataNode | undefined = root;
  for (const name of below.split('/')) {
    if (name === '') continue;
    if (typeof node !== 'object' || !Object.hasOwn(node, name)) return undefined;
    node = node[name];
  }
  if (node === undefined) return undefined;
  if (typeof node === 'string') return below.endsWith('/') ? undefined : text(node);
  if (typeof node === 'function') return below.endsWith('/') ? undefined : text(JSON.stringify(node(), null, 2));
  const names = Object.entries(node).map(([name, child]) => (typeof child === 'object' ? `${name}/` : name));
  return text(names.join('\n'));
}

/** Issued tokens. */
class Tokens {
  /** Expiry by token. */
  private readonly ends = new Map<string, number>();

  constructor(private readonly kernel: Kernel) {}

  /** Issues a token. @param ttl lifetime in seconds */
  issue(ttl: number): string {
    const { clock, ids } = this.kernel;
    const now = clock.now();
    for (const [known, end] of this.ends) {
      if (end > now && this.ends.size < MAX_TOKENS) break;
      this.ends.delete(known);
    }
    const token = ids.bytes(40).toString('base64url');
    this.ends.set(token, now + ttl * 1000);
    return token;
  }

  /** Whether a token is valid. */
  has(token: string): boolean {
    const end = this.ends.get(token);
    return end !== undefined && end > this.kernel.clock.now();
  }
}

const SERVER = { server: 'EC2ws' };

const text = (body: string, headers: Record<string, string> = {}): Response =>
  page(200, body, { 'content-type': 'text/plain', ...headers });

/** Returns an error page in HTML, as AWS's metadata service does. Clients read only the status. */
function failure(status: number, headers: Record<string, string> = {}): Response {
  const title = `${status} - ${REASONS[status]}`;
  const body = `<!DOCTYPE html>\n<html lang="en">\n<head><title>${title}</title></head>\n<body><h1>${title}</h1></body>\n</html>\n`;
  return page(status, body, { 'content-type': 'text/html', ...headers });
}

function page(status: number, body: string, headers: Record<string, string>): Response {
  // HEAD needs the length, too.
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return new Response(body, { status, headers: { ...SERVER, ...length, ...headers } });
}
