import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Endpoints of a fake Facebook and Apple, for one user and the code `good`. */
export interface SocialServer extends AsyncDisposable {
  readonly url: string;
  /** Key of an Apple client in Apple's format. */
  readonly applePrivateKey: string;
  /** Query for the attributes of Facebook's user. */
  readonly fields: string[];
  /** Sets the nonce of Apple's next ID token. */
  expectNonce(nonce: string): void;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString()) as never;

/** Creates a token of RS256. */
function writeToken(key: KeyObject, kid: string, claims: object): string {
  const signed = `${encode({ alg: 'RS256', kid })}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/** Returns claims of a token of ES256 with its key id; undefined for another key. */
function readToken(token: string, key: KeyObject): Record<string, unknown> | undefined {
  const [head, body, signature = ''] = token.split('.');
  const signed = Buffer.from(`${head}.${body}`);
  const isRight = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  return isRight ? { ...decode(body), kid: decode(head).kid } : undefined;
}

/** Starts the endpoints. */
export async function startSocialServer(): Promise<SocialServer> {
  const client = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const apple = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = { keys: [{ ...apple.publicKey.export({ format: 'jwk' }), kid: 'apple', alg: 'RS256', use: 'sig' }] };
  const fields: string[] = [];
  let nonce = '';
  const appleTokens = (form: URLSearchParams, issuer: string): object | undefined => {
    const secret = readToken(form.get('client_secret') ?? '', client.publicKey);
    const isClient =
      secret?.iss === 'TEAM' && secret.sub === 'com.example.app' && secret.aud === issuer && secret.kid === 'KEY';
    if (form.get('code') !== 'good' || !isClient || !secret.exp) return undefined;
    const now = Math.floor(Date.now() / 1000);
    const id_token = writeToken(apple.privateKey, 'apple', {
      iss: issuer,
      sub: '001.ann',
      aud: 'com.example.app',
      iat: now,
      exp: now + 300,
      nonce,
      email: 'ann@apple.example',
      email_verified: true,
    });
    return { access_token: 'a', token_type: 'bearer', expires_in: 300, id_token };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    const send = (status: number, value: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const { searchParams: query } = url;
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = async (): Promise<void> => {
      switch (`${request.method} ${url.pathname}`) {
        case 'GET /facebook/token': {
          const isGood = query.get('code') === 'good' && query.get('client_secret') === 'hush';
          return send(isGood ? 200 : 400, isGood ? { access_token: 'fb', token_type: 'bearer' } : { error: {} });
        }
        case 'GET /facebook/me':
          fields.push(query.get('fields') ?? '');
          return request.headers.authorization === 'Bearer fb'
            ? send(200, { id: '1234', email: 'ann@facebook.example', name: 'Ann' })
            : send(401, { error: {} });
        case 'GET /apple/keys':
          return send(200, keys);
        case 'POST /apple/token': {
          const chunks: Buffer[] = [];
          for await (const chunk of request) chunks.push(chunk as Buffer);
          const tokens = appleTokens(new URLSearchParams(Buffer.concat(chunks).toString()), `${origin}/apple`);
          return send(tokens ? 200 : 400, tokens ?? { error: 'invalid_grant' });
        }
        default:
          return send(404, {});
      }
    };
    answer().catch(() => send(400, { error: 'invalid_client' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    applePrivateKey: client.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fields,
    expectNonce: (value) => {
      nonce = value;
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
