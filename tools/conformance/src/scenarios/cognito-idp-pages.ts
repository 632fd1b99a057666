import { Authenticator } from '../../../../packages/svc-cognito-idp/test/authenticator.ts';
import type { Facts, Scenario, Send } from '../scenario.ts';

/** Uploads and pages, treated as operations. */
export const UPLOAD = 'upload';
export const PAGE = 'page';

const UserPoolId = 'us-east-1_known';
const RELYING_PARTY = 'example.com';
const LOG_GROUP = 'arn:aws:logs:us-east-1:123456789012:log-group:known';
const CSS = '.banner-customizable { padding: 0 }';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const CloudWatchLogsRoleArn = 'arn:aws:iam::123456789012:role/r';

const pool = () => ({ UserPoolId });
const own = ({ AccessToken }: Facts) => ({ AccessToken });
const job = ({ JobId }: Facts) => ({ UserPoolId, JobId });
const branding = ({ BrandingId }: Facts) => ({ UserPoolId, ManagedLoginBrandingId: BrandingId });
const settings = { components: { pageBackground: { lightMode: { color: 'ffffffff' } } } };
const asset = (Category = 'FORM_LOGO') => ({ Category, ColorMode: 'LIGHT', Extension: 'PNG', Bytes: PNG });
const notifications = (LogGroupArn = LOG_GROUP) => [
  { LogLevel: 'ERROR', EventSource: 'userNotification', CloudWatchLogsConfiguration: { LogGroupArn } },
];
const activity = (destination: object) => ({ LogLevel: 'INFO', EventSource: 'userAuthEvents', ...destination });

/** Creates a branding style, an import job and a passkey of the known user. */
export async function setUpPages(send: Send, facts: Facts): Promise<Facts> {
  const { AccessToken } = facts;
  await send('SetUICustomization', { UserPoolId, CSS });
  await send('SetLogDeliveryConfiguration', { UserPoolId, LogConfigurations: notifications() });
  const { ManagedLoginBranding } = await send('CreateManagedLoginBranding', {
    UserPoolId,
    ClientId: facts.SecretClient,
    Settings: settings,
    Assets: [asset()],
  });
  const { UserImportJob } = await send('CreateUserImportJob', { UserPoolId, JobName: 'known', CloudWatchLogsRoleArn });
  const { CredentialId } = await register(send, AccessToken!);
  return {
    BrandingId: (ManagedLoginBranding as { ManagedLoginBrandingId: string }).ManagedLoginBrandingId,
    JobId: (UserImportJob as { JobId: string }).JobId,
    CredentialId: CredentialId!,
  };
}

async function registration(send: Send, AccessToken: string): Promise<object> {
  const { CredentialCreationOptions } = await send('StartWebAuthnRegistration', { AccessToken });
  const options = CredentialCreationOptions as { challenge: string; rp: { id: string } };
  return new Authenticator(`https://${RELYING_PARTY}`).create(options);
}

async function register(send: Send, AccessToken: string): Promise<Facts> {
  const Credential = await registration(send, AccessToken);
  await send('CompleteWebAuthnRegistration', { AccessToken, Credential });
  return { CredentialId: (Credential as { id: string }).id };
}

/** Uploads the file of the known job. @param users number of users in it */
async function upload(send: Send, facts: Facts, users: number): Promise<Facts> {
  const { CSVHeader } = await send('GetCSVHeader', pool());
  const { UserImportJob } = await send('DescribeUserImportJob', job(facts));
  const header = CSVHeader as string[];
  const rows = Array.from({ length: users }, (_, index) =>
    header
      .map((name) => {
        if (name === 'cognito:username') return `imported${index}`;
        if (name === 'phone_number') return `+1555${1_000_000 + index}`;
        return name === 'cognito:mfa_enabled' || name === 'phone_number_verified' ? 'true' : '';
      })
      .join(','),
  );
  const { PreSignedUrl } = UserImportJob as { PreSignedUrl: string };
  await send(UPLOAD, { url: PreSignedUrl, body: [header.join(','), ...rows].join('\n') });
  return {};
}

/** Returns the page for a client's users. @param ManagedLoginVersion version of the branding */
async function pageOf(send: Send, clientId: string | undefined, ManagedLoginVersion = 2): Promise<unknown> {
  await send('UpdateUserPoolDomain', { UserPoolId, Domain: 'known', ManagedLoginVersion });
  return send(PAGE, { url: `http://localhost:4566/${UserPoolId}/login?client_id=${clientId}&redirect_uri=x` });
}

/** Pool settings under which passkeys can be created. */
export const WEB_AUTHN = { WebAuthnConfiguration: { RelyingPartyId: RELYING_PARTY, UserVerification: 'preferred' } };

/** Inputs of the operations about pages, passkeys, logs and imports. */
export const inputs: Scenario['inputs'] = {
  CompleteWebAuthnRegistration: (facts) => ({ ...own(facts), Credential: JSON.parse(facts.Credential!) }),
  CreateManagedLoginBranding: ({ ClientId }) => ({ UserPoolId, ClientId }),
  CreateUserImportJob: () => ({ UserPoolId, JobName: 'made', CloudWatchLogsRoleArn }),
  DeleteManagedLoginBranding: branding,
  DeleteWebAuthnCredential: (facts) => ({ ...own(facts), CredentialId: facts.CredentialId }),
  DescribeManagedLoginBranding: branding,
  DescribeManagedLoginBrandingByClient: ({ SecretClient }) => ({ UserPoolId, ClientId: SecretClient }),
  DescribeUserImportJob: job,
  GetCSVHeader: pool,
  GetLogDeliveryConfiguration: pool,
  GetSigningCertificate: pool,
  GetUICustomization: pool,
  ListUserImportJobs: () => ({ UserPoolId, MaxResults: 10 }),
  ListWebAuthnCredentials: own,
  SetLogDeliveryConfiguration: () => ({ UserPoolId, LogConfigurations: notifications(`${LOG_GROUP}2`) }),
  SetUICustomization: pool,
  StartUserImportJob: job,
  StartWebAuthnRegistration: own,
  StopUserImportJob: job,
  UpdateManagedLoginBranding: (facts) => ({ ...branding(facts), Settings: { components: {} } }),
};

export const before: NonNullable<Scenario['before']> = {
  CompleteWebAuthnRegistration: async (send, { AccessToken }) => ({
    Credential: JSON.stringify(await registration(send, AccessToken!)),
  }),
  StartUserImportJob: (send, facts) => upload(send, facts, 1),
  StopUserImportJob: async (send, facts) => {
    await upload(send, facts, 20_000);
    await send('StartUserImportJob', job(facts));
    return {};
  },
};

/** Jobs run outside of the records. */
export const live: readonly string[] = ['StartUserImportJob', 'StopUserImportJob'];

export const after: NonNullable<Scenario['after']> = {
  CreateManagedLoginBranding: (send, { ClientId }) => pageOf(send, ClientId),
  UpdateManagedLoginBranding: (send, { SecretClient }) => pageOf(send, SecretClient),
  SetUICustomization: (send, { ClientId }) => pageOf(send, ClientId, 1),
  SetUserPoolMfaConfig: async (send, { AccessToken }) => {
    const { CredentialCreationOptions } = await send('StartWebAuthnRegistration', { AccessToken });
    const { rp, authenticatorSelection } = CredentialCreationOptions as { rp: object; authenticatorSelection: object };
    return { rp, authenticatorSelection };
  },
};

export const values: NonNullable<Scenario['values']> = {
  'CreateManagedLoginBranding.Settings': [settings],
  'CreateManagedLoginBranding.Assets': [[asset()]],
  'UpdateManagedLoginBranding.Settings': [{ components: {} }],
  'UpdateManagedLoginBranding.Assets': [[asset('FORM_BACKGROUND')]],
  'SetLogDeliveryConfiguration.LogConfigurations': [
    notifications(),
    [activity({ S3Configuration: { BucketArn: 'arn:aws:s3:::known' } })],
    [
      activity({
        FirehoseConfiguration: { StreamArn: 'arn:aws:firehose:us-east-1:123456789012:deliverystream/known' },
      }),
    ],
  ],
  'SetUICustomization.CSS': [CSS, '.label-customizable { color: red }'],
  'SetUICustomization.ImageFile': [PNG],
};

export const reads: Scenario['reads'] = {
  DescribeManagedLoginBranding: (send, facts) =>
    send('UpdateManagedLoginBranding', { ...branding(facts), Settings: { components: {} } }),
  DescribeManagedLoginBrandingByClient: (send, facts) =>
    send('UpdateManagedLoginBranding', { ...branding(facts), Settings: { components: {} } }),
  DescribeUserImportJob: async (send, facts) => {
    await upload(send, facts, 1);
    await send('StartUserImportJob', job(facts));
  },
  GetCSVHeader: (send) =>
    send('AddCustomAttributes', { UserPoolId, CustomAttributes: [{ Name: 'a', AttributeDataType: 'String' }] }),
  GetLogDeliveryConfiguration: (send) => send('SetLogDeliveryConfiguration', { UserPoolId, LogConfigurations: [] }),
  // The certificate of a pool never changes.
  GetSigningCertificate: undefined,
  GetUICustomization: (send) => send('SetUICustomization', { UserPoolId, CSS: '.label-customizable { color: red }' }),
  ListUserImportJobs: (send) => send('CreateUserImportJob', { UserPoolId, JobName: 'another', CloudWatchLogsRoleArn }),
  ListWebAuthnCredentials: (send, facts) =>
    send('DeleteWebAuthnCredential', { ...own(facts), CredentialId: facts.CredentialId }),
};

/** Returns pages, logs, imports and passkeys from describing operations. */
export async function observePages(send: Send, facts: Facts): Promise<unknown> {
  const answer = (operation: string, input: object): Promise<unknown> =>
    send(operation, input as Record<string, unknown>).then(
      ({ $metadata: _, ...rest }) => rest,
      (error: Error) => error.name,
    );
  return Promise.all([
    answer('GetUICustomization', pool()),
    answer('GetUICustomization', { UserPoolId, ClientId: facts.ClientId }),
    answer('GetLogDeliveryConfiguration', pool()),
    answer('ListUserImportJobs', { UserPoolId, MaxResults: 60 }),
    answer('DescribeManagedLoginBrandingByClient', { UserPoolId, ClientId: facts.ClientId }),
    answer('DescribeManagedLoginBrandingByClient', { UserPoolId, ClientId: facts.SecretClient }),
    answer('ListWebAuthnCredentials', own(facts)),
    outcome(send, facts),
  ]);
}

/** Whether a registration is in progress, by the error for another credential. */
const outcome = (send: Send, { AccessToken }: Facts): Promise<unknown> => {
  const Credential = new Authenticator(`https://${RELYING_PARTY}`).create({
    challenge: 'b3RoZXI',
    rp: { id: RELYING_PARTY },
  });
  return send('CompleteWebAuthnRegistration', { AccessToken, Credential }).catch((error: Error) => error.message);
};
