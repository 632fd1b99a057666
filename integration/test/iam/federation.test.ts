import { GetWebIdentityTokenCommand, STSClient } from '@aws-sdk/client-sts';
import type { ServiceManifest } from '@emu/core/service';
import { fakeService } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-iam/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { awsError } from '@emu/wire';
import { expect, test } from 'vitest';
import { ACCOUNT, bodyOf, failureOf, type IamTest, startIam } from './support.ts';

const OTHER = '000000000002';
const TOPIC = `arn:aws:sns:eu-central-1:${ACCOUNT}:delegations`;

const start = (...services: ServiceManifest[]) => startIam({ manifests: [manifest, sts, ...services] });

test('outbound federation is enabled and disabled, and STS issues its tokens', async () => {
  await using t = await start();
  const jane = await t.user('jane');
  const token = () =>
    new STSClient(t.emulator.clientConfig(jane.credentials)).send(
      new GetWebIdentityTokenCommand({ Audience: ['app'], SigningAlgorithm: 'RS256' }),
    );
  expect(await failureOf(t.iam.getOutboundWebIdentityFederationInfo({}))).toContain('FeatureDisabled: ');
  expect(await failureOf(t.iam.disableOutboundWebIdentityFederation({}))).toContain('FeatureDisabled: ');
  expect(await failureOf(token())).toContain('OutboundWebIdentityFederationDisabled');
  const { IssuerIdentifier } = await t.iam.enableOutboundWebIdentityFederation({});
  expect(IssuerIdentifier).toMatch(/^https:\/\/[0-9a-f-]{36}\.tokens\.sts\.global\.api\.aws$/);
  expect(await failureOf(t.iam.enableOutboundWebIdentityFederation({}))).toContain('FeatureEnabled: ');
  expect(bodyOf(await t.iam.getOutboundWebIdentityFederationInfo({}))).toEqual({
    IssuerIdentifier,
    JwtVendingEnabled: true,
  });
  const [, claims] = (await token()).WebIdentityToken!.split('.');
  expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({ iss: IssuerIdentifier });
  await t.iam.disableOutboundWebIdentityFederation({});
  expect(await failureOf(token())).toContain('OutboundWebIdentityFederationDisabled');
  expect((await t.iam.enableOutboundWebIdentityFederation({})).IssuerIdentifier).toBe(IssuerIdentifier);
});

test('features of organizations require an organization', async () => {
  await using t = await start();
  const refusal =
    'OrganizationNotFound: The request was rejected because no organization is associated with your account.';
  for (const request of [
    t.iam.enableOrganizationsRootSessions({}),
    t.iam.disableOrganizationsRootSessions({}),
    t.iam.enableOrganizationsRootCredentialsManagement({}),
    t.iam.disableOrganizationsRootCredentialsManagement({}),
    t.iam.listOrganizationsFeatures({}),
  ])
    expect(await failureOf(request)).toBe(refusal);
});

test('a management account enables and disables features of its organization', async () => {
  const organization = { Id: 'o-a1b2c3d4e5', MasterAccountId: ACCOUNT, FeatureSet: 'CONSOLIDATED_BILLING' };
  const trusted: { ServicePrincipal: string }[] = [];
  await using t = await start(
    fakeService('organizations', {
      DescribeOrganization: () => ({ Organization: organization }),
      ListAWSServiceAccessForOrganization: () => ({ EnabledServicePrincipals: trusted }),
    }),
  );
  expect(await failureOf(t.iam.listOrganizationsFeatures({}))).toContain('OrganizationNotInAllFeaturesMode: ');
  organization.FeatureSet = 'ALL';
  expect(await failureOf(t.iam.listOrganizationsFeatures({}))).toContain('ServiceAccessNotEnabled: ');
  trusted.push({ ServicePrincipal: 'iam.amazonaws.com' });
  const known = { OrganizationId: organization.Id };
  expect(bodyOf(await t.iam.listOrganizationsFeatures({}))).toEqual({ ...known, EnabledFeatures: [] });
  expect(bodyOf(await t.iam.enableOrganizationsRootSessions({}))).toEqual({
    ...known,
    EnabledFeatures: ['RootSessions'],
  });
  const both = { ...known, EnabledFeatures: ['RootCredentialsManagement', 'RootSessions'] };
  expect(bodyOf(await t.iam.enableOrganizationsRootCredentialsManagement({}))).toEqual(both);
  expect(bodyOf(await t.iam.listOrganizationsFeatures({}))).toEqual(both);
  expect(bodyOf(await t.iam.disableOrganizationsRootSessions({}))).toEqual({
    ...known,
    EnabledFeatures: ['RootCredentialsManagement'],
  });
  expect(bodyOf(await t.iam.disableOrganizationsRootCredentialsManagement({}))).toEqual({
    ...known,
    EnabledFeatures: [],
  });
  const member = t.client({ accessKeyId: OTHER });
  expect(await failureOf(member.enableOrganizationsRootSessions({}))).toContain('CallerIsNotManagementAccount: ');
  expect(await failureOf(member.listOrganizationsFeatures({}))).toContain(
    'AccountNotManagementOrDelegatedAdministrator: ',
  );
});

/** Creates a request for access to another account. */
async function request(t: IamTest, more: object = {}) {
  const { DelegationRequestId, ConsoleDeepLink } = await t.iam.createDelegationRequest({
    Description: 'Backs up the database',
    Permissions: {
      PolicyTemplateArn: 'arn:aws:iam::aws:delegation-template/backup',
      Parameters: [{ Name: 'Bucket', Values: ['backups'], Type: 'string' }],
    },
    RequestorWorkflowId: 'workflow-1',
    NotificationChannel: TOPIC,
    SessionDuration: 3600,
    ...more,
  });
  expect(ConsoleDeepLink).toContain(DelegationRequestId);
  return { DelegationRequestId: DelegationRequestId! };
}

test('a delegation request is accepted, approved and sent', async () => {
  const published: unknown[] = [];
  await using t = await start(
    fakeService('sns', {
      Publish: (input) => {
        published.push(input);
        return {};
      },
    }),
  );
  const owner = t.client({ accessKeyId: OTHER });
  const id = await request(t, { OnlySendByOwner: true });
  const state = async () => (await owner.getDelegationRequest(id)).DelegationRequest!;
  expect(await state()).toEqual({
    ...id,
    Description: 'Backs up the database',
    Permissions: {
      PolicyTemplateArn: 'arn:aws:iam::aws:delegation-template/backup',
      Parameters: [{ Name: 'Bucket', Values: ['backups'], Type: 'string' }],
    },
    State: 'UNASSIGNED',
    RequestorId: ACCOUNT,
    SessionDuration: 3600,
    OnlySendByOwner: true,
    CreateDate: expect.any(Date),
    UpdatedTime: expect.any(Date),
    ExpirationTime: expect.any(Date),
  });
  expect((await owner.listDelegationRequests({})).DelegationRequests).toEqual([]);
  expect(await failureOf(owner.acceptDelegationRequest(id))).toContain('in the state UNASSIGNED');
  await owner.associateDelegationRequest(id);
  expect(await failureOf(owner.associateDelegationRequest(id))).toContain('has an owner already');
  const OwnerId = `arn:aws:iam::${OTHER}:root`;
  expect(await state()).toMatchObject({ State: 'ASSIGNED', OwnerAccountId: OTHER, OwnerId });
  expect((await owner.listDelegationRequests({ OwnerId })).DelegationRequests).toHaveLength(1);
  // The requesting account cannot answer itself.
  expect(await failureOf(t.iam.acceptDelegationRequest(id))).toContain('NoSuchEntity: ');
  await owner.updateDelegationRequest({ ...id, Notes: 'please look' });
  expect(await state()).toMatchObject({ State: 'PENDING_APPROVAL', Notes: 'please look' });
  expect(await failureOf(owner.sendDelegationToken(id))).toContain('in the state PENDING_APPROVAL');
  await owner.acceptDelegationRequest(id);
  expect(await state()).toMatchObject({ State: 'ACCEPTED', ApproverId: OwnerId });
  await owner.sendDelegationToken(id);
  expect(await state()).toMatchObject({ State: 'FINALIZED' });
  expect(published).toHaveLength(1);
  const { TopicArn, Message } = published[0] as { TopicArn: string; Message: string };
  expect(TopicArn).toBe(TOPIC);
  expect(JSON.parse(Message)).toEqual({
    delegationRequestId: id.DelegationRequestId,
    requestorWorkflowId: 'workflow-1',
    exchangeToken: expect.stringMatching(/^[\w-]{86}$/),
  });
  expect(await failureOf(owner.rejectDelegationRequest(id))).toContain('in the state FINALIZED');
});

test('a delegation request is rejected, expires, or belongs to another account', async () => {
  await using t = await start();
  const owner = t.client({ accessKeyId: OTHER });
  const stranger = t.client({ accessKeyId: '000000000003' });
  const id = await request(t, { OwnerAccountId: OTHER });
  expect(await failureOf(stranger.getDelegationRequest(id))).toContain('NoSuchEntity: ');
  expect(await failureOf(stranger.associateDelegationRequest(id))).toContain('NoSuchEntity: ');
  await owner.associateDelegationRequest(id);
  expect(await failureOf(owner.getDelegationRequest({ ...id, DelegationPermissionCheck: true }))).toBe(
    'NotImplemented: emu does not implement DelegationPermissionCheck of iam.',
  );
  await owner.rejectDelegationRequest({ ...id, Notes: 'too much' });
  expect((await owner.getDelegationRequest(id)).DelegationRequest).toMatchObject({
    State: 'REJECTED',
    RejectionReason: 'too much',
  });
  expect(await failureOf(owner.updateDelegationRequest(id))).toContain('in the state REJECTED');
  expect(await failureOf(request(t))).toContain('EntityAlreadyExists: ');
  const late = await request(t, { RequestorWorkflowId: 'workflow-2' });
  await t.emulator.kernel.clock.advance(25 * 3_600_000);
  expect((await owner.getDelegationRequest(late)).DelegationRequest!.State).toBe('EXPIRED');
  expect(await failureOf(owner.associateDelegationRequest(late))).toContain('in the state EXPIRED');
  // Old ended requests are evicted.
  await t.emulator.kernel.clock.advance(60 * 86_400_000);
  await request(t);
  expect(await failureOf(owner.getDelegationRequest(late))).toContain('NoSuchEntity: ');
  expect(await failureOf(request(t, { NotificationChannel: 'nowhere', RequestorWorkflowId: 'workflow-3' }))).toContain(
    'InvalidInput: ',
  );
});

test('a token that the topic rejects remains to be sent', async () => {
  await using t = await start(
    fakeService('sns', {
      Publish: () => {
        throw awsError('NotFound', 'Topic does not exist', { status: 404 });
      },
    }),
  );
  const id = await request(t, { OwnerAccountId: ACCOUNT });
  await t.iam.associateDelegationRequest(id);
  await t.iam.acceptDelegationRequest(id);
  expect(await failureOf(t.client({ accessKeyId: ACCOUNT }).sendDelegationToken(id))).toContain('ServiceFailure: ');
  expect((await t.iam.getDelegationRequest(id)).DelegationRequest!.State).toBe('ACCEPTED');
});

test('a delegation request is summarized in English', async () => {
  await using t = await start();
  const { DelegationRequestId } = await request(t);
  const EntityArn = `arn:aws:iam::${ACCOUNT}:delegation-request/${DelegationRequestId}`;
  const summary = bodyOf(await t.iam.getHumanReadableSummary({ EntityArn }));
  expect(summary).toEqual({
    Locale: 'en',
    SummaryState: 'AVAILABLE',
    SummaryContent: expect.stringContaining('Bucket is backups'),
  });
  expect(summary.SummaryContent).toContain(`Account ${ACCOUNT} asks`);
  expect(bodyOf(await t.iam.getHumanReadableSummary({ EntityArn, Locale: 'de' }))).toEqual({
    Locale: 'de',
    SummaryState: 'NOT_SUPPORTED',
    SummaryContent: '',
  });
  expect(await failureOf(t.iam.getHumanReadableSummary({ EntityArn: `arn:aws:iam::${ACCOUNT}:user/jane` }))).toContain(
    'InvalidInput: ',
  );
  expect(
    await failureOf(t.iam.getHumanReadableSummary({ EntityArn: `arn:aws:iam::${ACCOUNT}:delegation-request/nothing` })),
  ).toContain('NoSuchEntity: ');
});
