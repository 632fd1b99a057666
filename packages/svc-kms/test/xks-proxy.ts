import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer, globalAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '@emu/core/certificates';

export const CREDENTIAL = {
  AccessKeyId: 'ABE23456723EXAMPLE22',
  RawSecretAccessKey: 'DXjSUawnel2fr6SKC7G25CNxTyWKE5PF9XX6H/u9pSo=',
};

/** Request to a proxy. */
export interface Asked {
  path: string;
  metadata: Record<string, string>;
  body: Record<string, string>;
}

/** A proxy of an external key manager with one key, `known`. */
export interface XksProxy extends AsyncDisposable {
  readonly port: number;
  readonly asked: Asked[];
  /** HTTP status of every response from now on; undefined for a working proxy. */
  broken: number | undefined;
  keyStatus: 'ENABLED' | 'DISABLED';
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Whether a request is signed with the credential (appendix A of the specification). */
function isSigned({ headers, url }: IncomingMessage, payload: string): boolean {
  const pattern = /Credential=(\w+)\/(\d{8}\/[\w-]+\/kms-xks-proxy\/aws4_request), .*Signature=(\w+)$/;
  const [, id, scope = '', signature] = pattern.exec(headers.authorization ?? '') ?? [];
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const date = String(headers['x-amz-date']);
  const lines = ['POST', url, '', `host:${headers.host}`, `x-amz-date:${date}`, '', 'host;x-amz-date', hash(payload)];
  const key = scope.split('/').reduce<Buffer | string>(hmac, `AWS4${CREDENTIAL.RawSecretAccessKey}`);
  const text = ['AWS4-HMAC-SHA256', date, scope, hash(lines.join('\n'))].join('\n');
  return id === CREDENTIAL.AccessKeyId && signature === hmac(key, text).toString('hex');
}

function use(path: string, body: Record<string, string>, key: Buffer, keyStatus: string): object {
  if (path.endsWith('/metadata')) return { keySpec: 'AES_256', keyUsage: ['ENCRYPT', 'DECRYPT'], keyStatus };
  if (path.endsWith('/encrypt')) {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const data = Buffer.concat([cipher.update(bytes(body.plaintext!)), cipher.final()]);
    const [ciphertext, initializationVector, authenticationTag] = [data, iv, cipher.getAuthTag()].map((part) =>
      part.toString('base64'),
    );
    return { ciphertext, initializationVector, authenticationTag };
  }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(body.initializationVector!));
  decipher.setAuthTag(bytes(body.authenticationTag!));
  return { plaintext: Buffer.concat([decipher.update(bytes(body.ciphertext!)), decipher.final()]).toString('base64') };
}

/** Starts a proxy. This process trusts its certificate while it runs. */
export async function startProxy(): Promise<XksProxy> {
  const now = Date.now();
  const { key, cert } = await selfSigned({
    subject: { commonName: 'localhost' },
    notBefore: now - 3_600_000,
    notAfter: now + 86_400_000,
    keyType: 'ec',
    use: { server: { names: ['localhost'], addresses: [] } },
  });
  const secret = randomBytes(32);
  const server = createServer({ key, cert }, async (request, response) => {
    let payload = '';
    for await (const chunk of request) payload += chunk;
    const path = request.url!;
    const { requestMetadata, ...body } = JSON.parse(payload) as Record<string, never>;
    proxy.asked.push({ path, metadata: requestMetadata!, body });
    const answer = (status: number, json: object): void => void response.writeHead(status).end(JSON.stringify(json));
    if (proxy.broken !== undefined) answer(proxy.broken, {});
    else if (!isSigned(request, payload)) answer(401, { errorName: 'AuthenticationFailedException' });
    else if (path.endsWith('/health')) answer(200, { xksProxyVendor: 'emu' });
    else if (!path.includes('/keys/known/')) answer(404, { errorName: 'KeyNotFoundException' });
    else answer(200, use(path, body, secret, proxy.keyStatus));
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const { ca } = globalAgent.options;
  globalAgent.options.ca = cert;
  const proxy: XksProxy = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    broken: undefined,
    keyStatus: 'ENABLED',
    async [Symbol.asyncDispose]() {
      if (ca === undefined) delete globalAgent.options.ca;
      else globalAgent.options.ca = ca;
      globalAgent.destroy();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return proxy;
}
