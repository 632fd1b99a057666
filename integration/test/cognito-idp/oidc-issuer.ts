import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A running OpenID Connect issuer that accepts any name at sign-in. */
export interface Issuer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts an issuer with one client.
 * @param redirectUri of the client, whose id is `pool` and whose secret is `secret`
 */
export async function startIssuer(redirectUri: (origin: string) => string): Promise<Issuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'pool',
        client_secret: 'secret',
        redirect_uris: [redirectUri(url)],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => false },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'user_id'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@issuer.example`,
        email_verified: true,
        name: `The ${id}`,
        user_id: `amzn.${id}`,
      }),
    }),
    cookies: { keys: ['test'] },
    ttl: { Session: 600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
  });
  server.on('request', provider.callback());
  return {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signs a user in through an issuer's pages. @returns the URL of the redirect back */
export async function signInAt(issuer: Issuer, address: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  const open = async (url: string, form?: Record<string, string>): Promise<string> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    await response.text();
    const location = response.headers.get('location');
    return location === null ? url : new URL(location, url).href;
  };
  let at = await open(address);
  for (let step = 0; step < 8 && at.startsWith(issuer.url); step++) {
    const isPage = at.includes('/interaction/');
    at = isPage
      ? await open(at, step < 2 ? { prompt: 'login', login, password: 'x' } : { prompt: 'consent' })
      : await open(at);
  }
  return at;
}
