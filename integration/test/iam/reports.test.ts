import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import { makeCertificate } from '../../../packages/svc-iam/test/certificates.ts';
import { ADMIN, failureOf, policy, startIam } from './support.ts';

const NOW = Date.parse('2027-01-01T12:00:00Z');
const HOUR = 3_600_000;

async function start() {
  const t = await startIam();
  await t.emulator.kernel.clock.set(NOW);
  return t;
}

/** Returns the rows of a report by user, each by column. */
function readCsv(csv: string): Map<string, Record<string, string>> {
  const [head, ...rows] = csv.split('\n').map((line) => line.split(','));
  return new Map(rows.map((row) => [row[0]!, Object.fromEntries(head!.map((name, index) => [name, row[index]!]))]));
}

test('a credential report contains every user, and is valid for four hours', async () => {
  await using t = await start();
  const advance = (time: number) => t.emulator.kernel.clock.advance(time);
  const jane = await t.user('jane');
  await t.iam.createUser({ UserName: 'adam' });
  await t.iam.createLoginProfile({ UserName: 'adam', Password: 'Correct-Horse-9' });
  await t.iam.updateAccountPasswordPolicy({ MaxPasswordAge: 90 });
  const { cert } = await makeCertificate('adam');
  await t.iam.uploadSigningCertificate({ UserName: 'adam', CertificateBody: cert });
  await new STSClient(t.emulator.clientConfig(jane.credentials)).send(new GetCallerIdentityCommand({}));
  expect(await failureOf(t.iam.getCredentialReport({}))).toContain('CredentialReportNotPresent');
  expect(await t.iam.generateCredentialReport({})).toMatchObject({
    State: 'STARTED',
    Description: 'No report exists. Starting a new report generation task',
  });
  expect(await t.iam.generateCredentialReport({})).toMatchObject({ State: 'INPROGRESS' });
  expect(await failureOf(t.iam.getCredentialReport({}))).toContain('CredentialReportNotReady');
  await advance(1000);
  expect(await t.iam.generateCredentialReport({})).toMatchObject({ State: 'COMPLETE' });
  const { Content, ReportFormat, GeneratedTime } = await t.iam.getCredentialReport({});
  expect({ ReportFormat, GeneratedTime }).toEqual({ ReportFormat: 'text/csv', GeneratedTime: new Date(NOW) });
  const rows = readCsv(Buffer.from(Content!).toString());
  expect([...rows.keys()]).toEqual(['<root_account>', 'adam', 'jane']);
  const time = '2027-01-01T12:00:00+00:00';
  expect(rows.get('<root_account>')).toMatchObject({
    arn: 'arn:aws:iam::123456789012:root',
    password_enabled: 'not_supported',
    mfa_active: 'false',
    access_key_1_active: 'false',
  });
  expect(rows.get('adam')).toEqual({
    user: 'adam',
    arn: 'arn:aws:iam::123456789012:user/adam',
    user_creation_time: time,
    password_enabled: 'true',
    password_last_used: 'no_information',
    password_last_changed: time,
    password_next_rotation: '2027-04-01T12:00:00+00:00',
    mfa_active: 'false',
    access_key_1_active: 'false',
    access_key_1_last_rotated: 'N/A',
    access_key_1_last_used_date: 'N/A',
    access_key_1_last_used_region: 'N/A',
    access_key_1_last_used_service: 'N/A',
    access_key_2_active: 'false',
    access_key_2_last_rotated: 'N/A',
    access_key_2_last_used_date: 'N/A',
    access_key_2_last_used_region: 'N/A',
    access_key_2_last_used_service: 'N/A',
    cert_1_active: 'true',
    cert_1_last_rotated: time,
    cert_2_active: 'false',
    cert_2_last_rotated: 'N/A',
  });
  expect(rows.get('jane')).toMatchObject({
    password_enabled: 'false',
    password_last_used: 'N/A',
    access_key_1_active: 'true',
    access_key_1_last_rotated: time,
    access_key_1_last_used_date: time,
    access_key_1_last_used_region: 'eu-central-1',
    access_key_1_last_used_service: 'sts',
    access_key_2_active: 'false',
  });
  await advance(4 * HOUR);
  expect(await failureOf(t.iam.getCredentialReport({}))).toContain('CredentialReportExpired');
  expect(await t.iam.generateCredentialReport({})).toMatchObject({ State: 'STARTED' });
});

test('access advisor returns when services were used, by whom', async () => {
  await using t = await start();
  const advance = (time: number) => t.emulator.kernel.clock.advance(time);
  const jane = await t.user('jane');
  await t.user('john');
  await t.iam.createGroup({ GroupName: 'team' });
  for (const UserName of ['jane', 'john']) await t.iam.addUserToGroup({ GroupName: 'team', UserName });
  await t.iam.putGroupPolicy({
    GroupName: 'team',
    PolicyName: 'some',
    PolicyDocument: policy({ Action: ['sts:Get*', 'sqs:*', 'DynamoDB:GetItem'] }),
  });
  await t.iam.putUserPolicy({
    UserName: 'jane',
    PolicyName: 'none',
    PolicyDocument: policy({ Effect: 'Deny', Action: 'sqs:*' }),
  });
  await new STSClient(t.emulator.clientConfig(jane.credentials)).send(new GetCallerIdentityCommand({}));
  const report = async (Arn: string) => {
    const { JobId } = await t.iam.generateServiceLastAccessedDetails({ Arn });
    const pending = await t.iam.getServiceLastAccessedDetails({ JobId: JobId! });
    expect(pending).toMatchObject({ JobStatus: 'IN_PROGRESS', ServicesLastAccessed: [] });
    await advance(1000);
    return { JobId: JobId!, ...(await t.iam.getServiceLastAccessedDetails({ JobId: JobId! })) };
  };
  const sts = { ServiceName: 'AWS Security Token Service', ServiceNamespace: 'sts' };
  const used = {
    LastAuthenticated: new Date(NOW),
    LastAuthenticatedEntity: 'arn:aws:iam::123456789012:user/jane',
    LastAuthenticatedRegion: 'eu-central-1',
    TotalAuthenticatedEntities: 1,
  };
  const user = await report('arn:aws:iam::123456789012:user/jane');
  expect(user).toMatchObject({ JobStatus: 'COMPLETED', JobType: 'SERVICE_LEVEL', IsTruncated: false });
  expect(user.ServicesLastAccessed).toEqual([
    { ServiceName: 'Amazon DynamoDB', ServiceNamespace: 'dynamodb', TotalAuthenticatedEntities: 0 },
    { ...sts, ...used },
  ]);
  const group = await report('arn:aws:iam::123456789012:group/team');
  const actions = { Arn: 'arn:aws:iam::123456789012:group/team', Granularity: 'ACTION_LEVEL' } as const;
  expect(await failureOf(t.iam.generateServiceLastAccessedDetails(actions))).toBe(
    'NotImplemented: emu does not implement Granularity ACTION_LEVEL of iam.',
  );
  expect(group.ServicesLastAccessed!.map(({ ServiceNamespace }) => ServiceNamespace)).toEqual([
    'dynamodb',
    'sqs',
    'sts',
  ]);
  const { EntityDetailsList } = await t.iam.getServiceLastAccessedDetailsWithEntities({
    JobId: group.JobId,
    ServiceNamespace: 'sts',
  });
  expect(EntityDetailsList).toMatchObject([
    { EntityInfo: { Name: 'jane', Type: 'USER', Path: '/' }, LastAuthenticated: new Date(NOW) },
    { EntityInfo: { Name: 'john', Type: 'USER' } },
  ]);
  expect(EntityDetailsList![1]).not.toHaveProperty('LastAuthenticated');
  await t.iam.attachUserPolicy({ UserName: 'john', PolicyArn: ADMIN });
  const admin = await report(ADMIN);
  expect(admin.ServicesLastAccessed).toHaveLength(100);
  expect(admin.IsTruncated).toBe(true);
  const missing = '00000000-0000-4000-8000-000000000000';
  expect(await failureOf(t.iam.getServiceLastAccessedDetails({ JobId: missing }))).toContain('NoSuchEntity: ');
  expect(
    await failureOf(t.iam.generateServiceLastAccessedDetails({ Arn: 'arn:aws:iam::123456789012:user/nobody' })),
  ).toContain('NoSuchEntity: ');
});

test('lists policies that grant access to services', async () => {
  await using t = await start();
  await t.iam.createUser({ UserName: 'jane' });
  await t.iam.createGroup({ GroupName: 'team' });
  await t.iam.addUserToGroup({ GroupName: 'team', UserName: 'jane' });
  await t.iam.putGroupPolicy({ GroupName: 'team', PolicyName: 'queues', PolicyDocument: policy({ Action: 'sqs:*' }) });
  await t.iam.putUserPolicy({
    UserName: 'jane',
    PolicyName: 'not-iam',
    PolicyDocument: policy({ NotAction: ['iam:*'], Action: undefined }),
  });
  await t.iam.attachUserPolicy({ UserName: 'jane', PolicyArn: ADMIN });
  const Arn = 'arn:aws:iam::123456789012:user/jane';
  const list = async (...ServiceNamespaces: string[]) =>
    (await t.iam.listPoliciesGrantingServiceAccess({ Arn, ServiceNamespaces })).PoliciesGrantingServiceAccess;
  const admin = { PolicyName: 'AdministratorAccess', PolicyType: 'MANAGED', PolicyArn: ADMIN };
  const inline = { PolicyType: 'INLINE', EntityType: 'USER', EntityName: 'jane', PolicyName: 'not-iam' };
  expect(await list('sqs', 'iam')).toEqual([
    {
      ServiceNamespace: 'sqs',
      Policies: [
        inline,
        admin,
        { PolicyType: 'INLINE', EntityType: 'GROUP', EntityName: 'team', PolicyName: 'queues' },
      ],
    },
    { ServiceNamespace: 'iam', Policies: [admin] },
  ]);
  expect(
    await failureOf(t.iam.listPoliciesGrantingServiceAccess({ Arn: `${Arn}-2`, ServiceNamespaces: ['sqs'] })),
  ).toContain('NoSuchEntity: ');
  const ServiceNamespaces = Array.from({ length: 101 }, (_, index) => `service${index}`);
  const first = await t.iam.listPoliciesGrantingServiceAccess({ Arn, ServiceNamespaces });
  expect(first.PoliciesGrantingServiceAccess).toHaveLength(100);
  const second = await t.iam.listPoliciesGrantingServiceAccess({ Arn, ServiceNamespaces, Marker: first.Marker });
  expect(second).toMatchObject({
    IsTruncated: false,
    PoliciesGrantingServiceAccess: [{ ServiceNamespace: 'service100' }],
  });
  expect(
    await failureOf(t.iam.listPoliciesGrantingServiceAccess({ Arn, ServiceNamespaces: ['sqs'], Marker: 'nonsense' })),
  ).toBe('ValidationError: Invalid Marker.');
});

test('a report about an organization fails without one', async () => {
  await using t = await start();
  const { JobId } = await t.iam.generateOrganizationsAccessReport({ EntityPath: 'o-a1b2c3d4e5/r-f6g7' });
  expect(await t.iam.getOrganizationsAccessReport({ JobId: JobId! })).toMatchObject({ JobStatus: 'IN_PROGRESS' });
  await t.emulator.kernel.clock.advance(1000);
  expect(await t.iam.getOrganizationsAccessReport({ JobId: JobId! })).toMatchObject({
    JobStatus: 'FAILED',
    ErrorDetails: { Message: 'Your account is not a member of an organization.' },
  });
  expect(await failureOf(t.iam.getOrganizationsAccessReport({ JobId: JobId!, Marker: 'nonsense' }))).toBe(
    'ValidationError: Invalid Marker.',
  );
});
