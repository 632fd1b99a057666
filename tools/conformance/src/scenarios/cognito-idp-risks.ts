import type { Facts, Send } from '../scenario.ts';

/** Name of the control route that sets the risk level of sign-ins, treated as an operation. */
export const LEVEL = 'risk level';
/** Marks a password as compromised through the control route. */
export const COMPROMISED = 'compromised password';

const UserPoolId = 'us-east-1_known';
const SourceArn = 'arn:aws:ses:us-east-1:123456789012:identity/example.com';
const WORDS = 'event {event-id} token {feedback-token} end';

/** Sent e-mails. */
let emails: unknown[] = [];
export const noteEmail = (email: unknown): void => {
  emails.push(email);
};

const mail = (name: string) => ({ Subject: name, TextBody: `${name} ${WORDS}`, HtmlBody: `<p>${name}</p>` });
const takeover = () => ({
  Actions: {
    LowAction: { Notify: true, EventAction: 'NO_ACTION' },
    MediumAction: { Notify: true, EventAction: 'MFA_IF_CONFIGURED' },
    HighAction: { Notify: true, EventAction: 'BLOCK' },
  },
  NotifyConfiguration: {
    SourceArn,
    From: 'guard@example.com',
    ReplyTo: 'help@example.com',
    BlockEmail: mail('block'),
    MfaEmail: mail('mfa'),
    NoActionEmail: mail('none'),
  },
});

/** A complete risk configuration. */
export const configuration = () => ({
  AccountTakeoverRiskConfiguration: takeover(),
  CompromisedCredentialsRiskConfiguration: { EventFilter: ['SIGN_IN'], Actions: { EventAction: 'NO_ACTION' } },
});

/** Enables enforced protection in the pool, and sets an address of the user. */
export async function protect(send: Send, settings: object): Promise<void> {
  await send('UpdateUserPool', { UserPoolId, ...settings, UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' } });
  await send('SetUserPoolMfaConfig', { UserPoolId, MfaConfiguration: 'OPTIONAL', SmsMfaConfiguration: {} });
  const UserAttributes = [{ Name: 'email', Value: 'known@example.com' }];
  await send('AdminUpdateUserAttributes', { UserPoolId, Username: 'known', UserAttributes });
}

/** Returns the results of sign-ins at each level with their e-mails, and of a compromised password. */
export async function effects(send: Send, signIn: () => Promise<string>, ClientId: string): Promise<unknown> {
  emails = [];
  const outcomes: unknown[] = [];
  for (const riskLevel of ['Low', 'Medium', 'High']) {
    await send(LEVEL, { userPoolId: UserPoolId, riskLevel });
    outcomes.push(await signIn());
  }
  await send(LEVEL, { userPoolId: UserPoolId, riskLevel: null });
  const Password = 'Kn0wn!pass';
  await send(COMPROMISED, { userPoolId: UserPoolId, password: Password });
  const refused = (error: Error): string => error.name;
  outcomes.push(await send('SignUp', { ClientId, Username: 'leaked', Password }).then(() => 'made', refused));
  const changed = { UserPoolId, Username: 'known', Password, Permanent: true };
  await send('AdminSetUserPassword', changed);
  const AuthParameters = { USERNAME: 'known', PASSWORD: Password };
  const begun = send('InitiateAuth', { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
  outcomes.push(await begun.then(() => 'signed in', refused));
  return [outcomes, emails];
}

/** Returns the text of the latest e-mail about an event. */
export function feedback(): Facts {
  const [, EventId = '', FeedbackToken = ''] = /event (\S+) token (\S+) end/.exec(JSON.stringify(emails.at(-1)))!;
  return { EventId, FeedbackToken };
}

const encoded = (UserAgent: string): string =>
  Buffer.from(JSON.stringify({ payload: JSON.stringify({ contextData: { UserAgent } }) })).toString('base64');
const agents = (name: string) => [{ headerName: 'User-Agent', headerValue: name }];

/** Client address as reported by an administrator's server. */
export const context = () => ({
  IpAddress: '192.0.2.1',
  ServerName: 'app',
  ServerPath: '/',
  HttpHeaders: agents('a'),
});

/** Values of members with the origin of a request. */
export const values: Readonly<Record<string, readonly unknown[]>> = {
  'SetRiskConfiguration.AccountTakeoverRiskConfiguration': [takeover()],
  'SetRiskConfiguration.AccountTakeoverRiskConfiguration.NotifyConfiguration.SourceArn': [
    SourceArn.replace('example.com', 'example.org'),
  ],
  'AdminInitiateAuth.ContextData.HttpHeaders': [agents('a'), agents('b')],
  'AdminRespondToAuthChallenge.ContextData.HttpHeaders': [agents('a'), agents('b')],
  ...Object.fromEntries(
    [
      'AdminInitiateAuth.ContextData',
      'AdminRespondToAuthChallenge.ContextData',
      ...['ConfirmForgotPassword', 'ConfirmSignUp', 'ForgotPassword', 'InitiateAuth', 'ResendConfirmationCode'].map(
        (operation) => `${operation}.UserContextData`,
      ),
      'RespondToAuthChallenge.UserContextData',
      'SignUp.UserContextData',
    ].map((path) => [`${path}.EncodedData`, [encoded('a'), encoded('b')]]),
  ),
};
