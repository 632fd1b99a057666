import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from './authenticator.ts';
import { type CognitoTest, type Made, PASSWORD, startCognito, totp } from './support.ts';

const REDIRECT = 'http://localhost:3000/callback';
const CLIENT = {
  AllowedOAuthFlowsUserPoolClient: true,
  AllowedOAuthFlows: ['code'],
  AllowedOAuthScopes: ['openid'],
  CallbackURLs: [REDIRECT],
} as const;

/** A browser without scripts that keeps cookies and submits forms with the page's hidden fields. */
class Browser {
  private readonly cookies = new Map<string, string>();
  page = '';

  constructor(private readonly test: CognitoTest) {}

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = (await this.test.emulator.gateway.fetch(
      new Request(url, {
        redirect: 'manual',
        headers: { cookie },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      }),
    )) as Response;
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      this.cookies.set(name!, value!);
    }
    this.page = await response.text();
    return response;
  }

  /** Returns a hidden field of the page. */
  hidden(name: string): string {
    const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(this.page)![1]!;
    return value.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  }

  /** Submits the page's form. */
  send(fields: Record<string, string>): Promise<Response> {
    const action = /action="([^"]*)"/.exec(this.page)![1]!.replace(/&#38;/g, '&');
    const names = [...this.page.matchAll(/type="hidden" name="([^"]*)"/g)].map(([, name]) => name!);
    const hidden = Object.fromEntries(names.map((name) => [name, this.hidden(name)]));
    return this.open(`http://localhost:4566${action}`, { ...hidden, ...fields });
  }
}

describe('hosted pages', () => {
  let test: CognitoTest;
  beforeAll(async () => {
    test = await startCognito();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const loginOf = ({ UserPoolId, ClientId }: Made): string => {
    const query = new URLSearchParams({ client_id: ClientId, redirect_uri: REDIRECT, response_type: 'code' });
    return `http://localhost:4566/${UserPoolId}/login?${query.toString()}`;
  };

  it('support sign-up, confirmation and password reset', async () => {
    const made = await test.make({ AutoVerifiedAttributes: ['email'] }, CLIENT as never);
    const browser = new Browser(test);
    await browser.open(loginOf(made).replace('/login?', '/signup?'));
    await browser.send({ username: 'jane', password: PASSWORD, 'attribute:email': 'jane@example.com' });
    await browser.open(loginOf(made).replace('/login?', '/confirm?'));
    await browser.send({ username: 'jane', code: (await test.code(made, 'jane')).code });
    await browser.open(loginOf(made).replace('/login?', '/forgotPassword?'));
    const next = await browser.send({ username: 'jane' });
    await browser.open(next.headers.get('location')!);
    await browser.send({ username: 'jane', code: (await test.code(made, 'jane')).code, password: `${PASSWORD}2` });
    await browser.open(loginOf(made));
    const done = await browser.send({ username: 'jane', password: `${PASSWORD}2` });
    expect(done.headers.get('location')).toContain(`${REDIRECT}?code=`);
  });

  it('set up a required authenticator app and request its code', async () => {
    const made = await test.make({}, CLIENT as never);
    await test.cognito.setUserPoolMfaConfig({
      UserPoolId: made.UserPoolId,
      MfaConfiguration: 'ON',
      SoftwareTokenMfaConfiguration: { Enabled: true },
    });
    await test.user(made);
    const browser = new Browser(test);
    await browser.open(loginOf(made));
    await browser.send({ username: 'jane', password: PASSWORD });
    const secret = /authenticator app: ([A-Z2-7]+)/.exec(browser.page)![1]!;
    const code = (): string => totp(secret, test.emulator.kernel.clock.now());
    const done = await browser.send({ code: code() });
    expect(done.headers.get('location')).toContain(`${REDIRECT}?code=`);
    await test.advance(60_000);
    await browser.open(loginOf(made));
    await browser.send({ username: 'jane', password: PASSWORD });
    const wrong = await browser.send({ SOFTWARE_TOKEN_MFA_CODE: '000000' });
    expect(wrong.status).toBe(400);
    await browser.send({ username: 'jane', password: PASSWORD });
    const again = await browser.send({ SOFTWARE_TOKEN_MFA_CODE: code() });
    expect(again.headers.get('location')).toContain(`${REDIRECT}?code=`);
  });

  it('register passkeys and sign in with them', async () => {
    const made = await test.make(
      { Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } } },
      CLIENT as never,
    );
    await test.cognito.setUserPoolMfaConfig({
      UserPoolId: made.UserPoolId,
      WebAuthnConfiguration: { RelyingPartyId: 'localhost' },
    });
    await test.user(made);
    const add = loginOf(made).replace('/login?', '/passkeys/add?');
    const browser = new Browser(test);
    expect((await browser.open(add)).status).toBe(401);
    await browser.open(loginOf(made));
    expect((await browser.send({ username: 'jane', action: 'passkey' })).status).toBe(400);
    await browser.send({ username: 'jane', password: PASSWORD });
    const page = await browser.open(add);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'nonce-/);
    const authenticator = new Authenticator('http://localhost:4566');
    const CREDENTIAL = JSON.stringify(authenticator.create(JSON.parse(browser.hidden('options'))));
    const added = await browser.send({ CREDENTIAL });
    expect(added.headers.get('location')).toBe(REDIRECT);
    const other = new Browser(test);
    await other.open(loginOf(made));
    await other.send({ username: 'jane', action: 'passkey' });
    const signed = JSON.stringify(authenticator.get(JSON.parse(other.hidden('options'))));
    const done = await other.send({ CREDENTIAL: signed });
    expect(done.headers.get('location')).toContain(`${REDIRECT}?code=`);
  });
});
