import type { Kernel } from '@emu/core';
import { headerOf } from './identify.ts';
import { Instance } from './instance.ts';
import { type MetadataNode, metadataTree } from './metadata-tree.ts';
import type { ResolvedGatewayOptions } from './options.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';

const TOKEN = 'x-aws-ec2-metadata-token';
const TTL = 'x-aws-ec2-metadata-token-ttl-seconds';
/** Seconds that a token may live at most. */
const LONGEST_TTL = 21_600;
/** Most tokens remembered; the oldest gives way. */
const MOST_TOKENS = 10_000;

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
};

/**
 * The instance metadata service under `/latest/*`, with and without tokens (IMDSv2 and IMDSv1).
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
export class MetadataService {
  /** When each token ends, by token. */
  private readonly tokens = new Map<string, number>();
  private readonly root: MetadataNode;

  constructor(
    private readonly kernel: Kernel,
    options: ResolvedGatewayOptions,
  ) {
    this.root = metadataTree(kernel, new Instance(kernel, options.imdsInstanceId), options.credentialsRoleArn);
  }

  /** Answers a request below `/latest`. */
  async handle(request: GatewayRequest, path: string): Promise<GatewayResponse> {
    const below = path.slice('/latest'.length);
    const response = below === '/api/token' ? this.token(request) : this.read(request, below);
    await this.kernel.credentials.store.committed();
    return response;
  }

  /** `PUT /latest/api/token`. */
  private token({ method, headers }: GatewayRequest): GatewayResponse {
    if (method !== 'PUT') return failure(405, { allow: 'OPTIONS, PUT' });
    // A request that came through a proxy may not be the instance's own.
    if (headers['x-forwarded-for'] !== undefined) return failure(403);
    const ttl = headerOf(headers, TTL) ?? '';
    if (!/^\d{1,5}$/.test(ttl) || Number(ttl) < 1 || Number(ttl) > LONGEST_TTL) return failure(400);
    const token = this.kernel.ids.bytes(40).toString('base64url');
    this.remember(token, this.kernel.clock.now() + Number(ttl) * 1000);
    return text(token, { [TTL]: ttl });
  }

  private read({ method, headers }: GatewayRequest, below: string): GatewayResponse {
    if (method !== 'GET' && method !== 'HEAD') return failure(405, { allow: 'GET, HEAD, OPTIONS' });
    const token = headerOf(headers, TOKEN);
    if (token !== undefined && !this.isValid(token)) return failure(401);
    const content = this.lookup(below);
    return content === undefined ? failure(404) : content;
  }

  private lookup(below: string): GatewayResponse | undefined {
    let node: MetadataNode | undefined = this.root;
    for (const name of below.split('/')) {
      if (name === '') continue;
      if (typeof node !== 'object' || !Object.hasOwn(node, name)) return undefined;
      node = node[name];
    }
    if (node === undefined) return undefined;
    if (typeof node === 'string') return below.endsWith('/') ? undefined : text(node);
    if (typeof node === 'function') return below.endsWith('/') ? undefined : json(node());
    const names = Object.entries(node).map(([name, child]) => (typeof child === 'object' ? `${name}/` : name));
    return text(names.join('\n'));
  }

  private remember(token: string, expiresAt: number): void {
    const now = this.kernel.clock.now();
    for (const [known, end] of this.tokens) {
      if (end > now && this.tokens.size < MOST_TOKENS) break;
      this.tokens.delete(known);
    }
    this.tokens.set(token, expiresAt);
  }

  private isValid(token: string): boolean {
    const expiresAt = this.tokens.get(token);
    return expiresAt !== undefined && expiresAt > this.kernel.clock.now();
  }
}

const SERVER = { server: 'EC2ws' };

const text = (body: string, headers: Record<string, string> = {}): GatewayResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain', ...SERVER, ...headers },
  body,
});

const json = (value: unknown): GatewayResponse => text(JSON.stringify(value, null, 2));

/** An error page: the metadata service of AWS answers with HTML, and clients look only at the status. */
function failure(status: number, headers: Record<string, string> = {}): GatewayResponse {
  const title = `${status} - ${REASONS[status]}`;
  const body = `<!DOCTYPE html>\n<html lang="en">\n<head><title>${title}</title></head>\n<body><h1>${title}</h1></body>\n</html>\n`;
  return { status, headers: { 'content-type': 'text/html', ...SERVER, ...headers }, body };
}
