import { generateKeyPairSync } from 'node:crypto';
import type { SesDkimPublicKey, SesEmail } from '@emu/control-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SesTest, startSes, TOPIC } from './support.ts';

let t: SesTest;
beforeAll(async () => {
  t = await startSes();
});
afterAll(() => t[Symbol.asyncDispose]());

describe('identities of version 1', () => {
  test('verifies addresses and domains immediately', async () => {
    const { ses } = t;
    await ses.verifyEmailIdentity({ EmailAddress: 'ann@Example.com' });
    await ses.verifyEmailAddress({ EmailAddress: 'bob@example.org' });
    const { VerificationToken } = await ses.verifyDomainIdentity({ Domain: 'example.net' });
    expect(VerificationToken).toMatch(/^[\w+/]{44}$/);
    expect((await ses.listIdentities({})).Identities).toEqual(['ann@example.com', 'bob@example.org', 'example.net']);
    expect((await ses.listIdentities({ IdentityType: 'Domain' })).Identities).toEqual(['example.net']);
    const page = await ses.listIdentities({ MaxItems: 2 });
    expect((await ses.listIdentities({ NextToken: page.NextToken })).Identities).toEqual(['example.net']);
    const names = ['ann@example.com', 'example.net', 'missing.com'];
    expect((await ses.getIdentityVerificationAttributes({ Identities: names })).VerificationAttributes).toEqual({
      'ann@example.com': { VerificationStatus: 'Success' },
      'example.net': { VerificationStatus: 'Success', VerificationToken },
    });
    expect((await ses.listVerifiedEmailAddresses({})).VerifiedEmailAddresses).toEqual([
      'ann@example.com',
      'bob@example.org',
    ]);
    await ses.deleteVerifiedEmailAddress({ EmailAddress: 'bob@example.org' });
    await ses.deleteIdentity({ Identity: 'never@example.org' });
    expect((await ses.listVerifiedEmailAddresses({})).VerifiedEmailAddresses).toEqual(['ann@example.com']);
  });

  test('rejects invalid addresses and domains', async () => {
    expect(await failureOf(t.ses.verifyEmailIdentity({ EmailAddress: 'nobody' }))).toBe(
      'InvalidParameterValue: Invalid email address<nobody>.',
    );
    expect(await failureOf(t.ses.verifyDomainIdentity({ Domain: 'no domain' }))).toBe(
      'InvalidParameterValue: Invalid domain name no domain.',
    );
    expect(await failureOf(t.ses.setIdentityDkimEnabled({ Identity: 'missing.com', DkimEnabled: true }))).toBe(
      'InvalidParameterValue: Domain missing.com is not verified for DKIM signing.',
    );
  });

  test('publishes DKIM keys', async () => {
    const { ses } = t;
    const { DkimTokens } = await ses.verifyDomainDkim({ Domain: 'example.net' });
    expect(DkimTokens).toHaveLength(3);
    expect((await ses.verifyDomainDkim({ Domain: 'example.net' })).DkimTokens).toEqual(DkimTokens);
    await ses.setIdentityDkimEnabled({ Identity: 'example.net', DkimEnabled: false });
    const { DkimAttributes } = await ses.getIdentityDkimAttributes({ Identities: ['example.net', 'ann@example.com'] });
    expect(DkimAttributes).toEqual({
      'example.net': { DkimEnabled: false, DkimVerificationStatus: 'Success', DkimTokens },
      'ann@example.com': { DkimEnabled: false, DkimVerificationStatus: 'NotStarted' },
    });
    const key = await t.get<SesDkimPublicKey>('/identities/example.net/dkim-public-key');
    expect(key).toMatchObject({ selector: DkimTokens![0], recordName: `${DkimTokens![0]}._domainkey.example.net` });
    expect((await t.get<SesDkimPublicKey>('/identities/example.net/dkim-public-key')).publicKey).toBe(key.publicKey);
    await expect(t.get('/identities/missing.net/dkim-public-key')).rejects.toMatchObject({ status: 404 });
    await expect(t.get('/identities/ann%40example.com/dkim-public-key')).rejects.toMatchObject({ status: 404 });
  });

  // https://github.com/floci-io/floci/pull/1904
  test('has the DKIM settings of its domain, as an address', async () => {
    const { ses, v2 } = t;
    const address = 'ann@signed.example';
    await ses.verifyEmailIdentity({ EmailAddress: address });
    const attributesOf = async (Identity: string) =>
      (await ses.getIdentityDkimAttributes({ Identities: [Identity] })).DkimAttributes![Identity];
    expect(await attributesOf(address)).toEqual({ DkimEnabled: false, DkimVerificationStatus: 'NotStarted' });
    expect(await failureOf(ses.setIdentityDkimEnabled({ Identity: address, DkimEnabled: true }))).toBe(
      'InvalidParameterValue: Domain signed.example is not verified for DKIM signing.',
    );
    const { DkimTokens } = await ses.verifyDomainDkim({ Domain: 'signed.example' });
    const signed = { DkimEnabled: true, DkimVerificationStatus: 'Success', DkimTokens };
    expect(await attributesOf(address)).toEqual(signed);
    await ses.setIdentityDkimEnabled({ Identity: address, DkimEnabled: false });
    await v2.putEmailIdentityDkimAttributes({ EmailIdentity: address, SigningEnabled: false });
    expect([await attributesOf(address), await attributesOf('signed.example')]).toEqual([signed, signed]);
    expect((await v2.getEmailIdentity({ EmailIdentity: address })).DkimAttributes).toMatchObject({
      SigningEnabled: true,
      Status: 'SUCCESS',
      Tokens: DkimTokens,
    });
    const change = { EmailIdentity: address, SigningAttributesOrigin: 'AWS_SES' as const };
    expect(await failureOf(v2.putEmailIdentityDkimSigningAttributes(change))).toBe(
      'BadRequestException: The EmailIdentity value must be a valid domain.',
    );
    await ses.deleteIdentity({ Identity: address });
    await ses.deleteIdentity({ Identity: 'signed.example' });
  });

  test('requires MAIL FROM domains below the identity', async () => {
    const { ses } = t;
    const Identity = 'example.net';
    await ses.setIdentityMailFromDomain({
      Identity,
      MailFromDomain: 'mail.example.net',
      BehaviorOnMXFailure: 'RejectMessage',
    });
    await t.post(`/identities/${Identity}/mail-from-status`, { status: 'FAILED' });
    expect(
      (await ses.getIdentityMailFromDomainAttributes({ Identities: [Identity] })).MailFromDomainAttributes,
    ).toEqual({
      [Identity]: {
        MailFromDomain: 'mail.example.net',
        MailFromDomainStatus: 'Failed',
        BehaviorOnMXFailure: 'RejectMessage',
      },
    });
    const mail = {
      Source: `ann@${Identity}`,
      Destination: { ToAddresses: ['to@example.com'] },
      Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
    };
    expect(await failureOf(ses.sendEmail(mail))).toBe(
      'MailFromDomainNotVerifiedException: Custom MAIL FROM domain mail.example.net is not verified.',
    );
    expect(await failureOf(ses.setIdentityMailFromDomain({ Identity, MailFromDomain: 'example.com' }))).toBe(
      'InvalidParameterValue: Provided MAIL-FROM domain <example.com> is not subdomain of the domain of the identity <example.net>.',
    );
    await expect(t.post(`/identities/${Identity}/mail-from-status`, { status: 'NO' })).rejects.toMatchObject({
      status: 400,
    });
    await ses.setIdentityMailFromDomain({ Identity });
    expect(
      (await ses.getIdentityMailFromDomainAttributes({ Identities: [Identity] })).MailFromDomainAttributes,
    ).toEqual({ [Identity]: { BehaviorOnMXFailure: 'UseDefaultValue' } });
    await expect(t.post(`/identities/${Identity}/mail-from-status`, { status: 'FAILED' })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('configures notification topics and forwarding', async () => {
    const { ses } = t;
    const Identity = 'ann@example.com';
    expect(await failureOf(ses.setIdentityFeedbackForwardingEnabled({ Identity, ForwardingEnabled: false }))).toMatch(
      /^InvalidParameterValue: Identity <ann@example.com> has no topics/,
    );
    for (const NotificationType of ['Bounce', 'Complaint', 'Delivery'] as const)
      await ses.setIdentityNotificationTopic({ Identity, NotificationType, SnsTopic: TOPIC });
    await ses.setIdentityFeedbackForwardingEnabled({ Identity, ForwardingEnabled: false });
    await ses.setIdentityHeadersInNotificationsEnabled({ Identity, NotificationType: 'Bounce', Enabled: true });
    await ses.setIdentityNotificationTopic({ Identity, NotificationType: 'Delivery' });
    expect(
      (await ses.getIdentityNotificationAttributes({ Identities: [Identity, 'x.com'] })).NotificationAttributes,
    ).toEqual({
      [Identity]: {
        BounceTopic: TOPIC,
        ComplaintTopic: TOPIC,
        ForwardingEnabled: false,
        HeadersInBounceNotificationsEnabled: true,
        HeadersInComplaintNotificationsEnabled: false,
        HeadersInDeliveryNotificationsEnabled: false,
      },
    });
    const set = (name: string, type: string) =>
      failureOf(
        ses.setIdentityHeadersInNotificationsEnabled({
          Identity: name,
          NotificationType: type as 'Bounce',
          Enabled: true,
        }),
      );
    // Both messages are recorded.
    expect(await set('unknown@example.com', 'Bounce')).toBe(
      'MessageRejected: Identity unknown@example.com is not verified or does not exist.',
    );
    expect(await set(Identity, 'InvalidType')).toBe(
      'InvalidParameterValue: Invalid notification type: InvalidType. Valid values are: Bounce, Complaint, Delivery.',
    );
    expect(
      await failureOf(ses.setIdentityNotificationTopic({ Identity, NotificationType: 'Bounce', SnsTopic: 'no' })),
    ).toBe('InvalidParameterValue: Invalid SNS topic <no>.');
  });

  test('policies authorize other accounts', async () => {
    const { ses } = t;
    const Identity = 'example.net';
    const Policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: '111122223333' },
          Action: ['ses:SendEmail'],
          Resource: `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${Identity}`,
        },
      ],
    });
    await ses.putIdentityPolicy({ Identity, PolicyName: 'p', Policy });
    expect((await ses.listIdentityPolicies({ Identity })).PolicyNames).toEqual(['p']);
    expect((await ses.getIdentityPolicies({ Identity, PolicyNames: ['p', 'q'] })).Policies).toEqual({ p: Policy });
    expect(await failureOf(ses.putIdentityPolicy({ Identity, PolicyName: 'p', Policy: '{}' }))).toBe(
      'InvalidPolicyException: Policy has no statement.',
    );
    await ses.deleteIdentityPolicy({ Identity, PolicyName: 'p' });
    expect((await ses.listIdentityPolicies({ Identity })).PolicyNames).toEqual([]);
    // https://docs.aws.amazon.com/ses/latest/APIReference/API_PutIdentityPolicy.html
    const byArn = { Identity: `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${Identity}`, PolicyName: 'p' };
    await ses.putIdentityPolicy({ ...byArn, Policy });
    expect((await ses.listIdentityPolicies({ Identity })).PolicyNames).toEqual(['p']);
    expect((await ses.getIdentityPolicies({ ...byArn, PolicyNames: ['p'] })).Policies).toEqual({ p: Policy });
    await ses.setIdentityNotificationTopic({ ...byArn, NotificationType: 'Delivery', SnsTopic: TOPIC });
    await ses.deleteIdentityPolicy(byArn);
    expect((await ses.listIdentityPolicies(byArn)).PolicyNames).toEqual([]);
    const elsewhere = { ...byArn, Identity: byArn.Identity.replace(REGION, 'eu-west-3') };
    expect(await failureOf(ses.putIdentityPolicy({ ...elsewhere, Policy }))).toContain('does not exist');
  });
});

describe('identities of version 2', () => {
  test('a new domain has its keys', async () => {
    const { v2 } = t;
    const EmailIdentity = 'shop.example';
    const made = await v2.createEmailIdentity({ EmailIdentity, Tags: [{ Key: 'team', Value: 'shop' }] });
    expect(made).toMatchObject({ IdentityType: 'DOMAIN', VerifiedForSendingStatus: true });
    expect(made.DkimAttributes).toMatchObject({
      SigningEnabled: true,
      Status: 'SUCCESS',
      SigningAttributesOrigin: 'AWS_SES',
      CurrentSigningKeyLength: 'RSA_2048_BIT',
    });
    expect(await failureOf(v2.createEmailIdentity({ EmailIdentity }))).toBe(
      'AlreadyExistsException: Email identity shop.example already exist.',
    );
    const { $metadata: _, ...identity } = await v2.getEmailIdentity({ EmailIdentity });
    expect(identity).toMatchObject({
      FeedbackForwardingStatus: true,
      VerificationStatus: 'SUCCESS',
      Tags: [{ Key: 'team', Value: 'shop' }],
      MailFromAttributes: { BehaviorOnMxFailure: 'USE_DEFAULT_VALUE' },
    });
    expect((await v2.listEmailIdentities({})).EmailIdentities).toContainEqual({
      IdentityType: 'DOMAIN',
      IdentityName: EmailIdentity,
      SendingEnabled: true,
      VerificationStatus: 'SUCCESS',
    });
    expect((await t.ses.listIdentities({})).Identities).toContain(EmailIdentity);
  });

  test('changes every attribute', async () => {
    const { v2 } = t;
    const EmailIdentity = 'shop.example';
    await v2.createConfigurationSet({ ConfigurationSetName: 'of-identity' });
    await v2.putEmailIdentityConfigurationSetAttributes({ EmailIdentity, ConfigurationSetName: 'of-identity' });
    await v2.putEmailIdentityDkimAttributes({ EmailIdentity, SigningEnabled: false });
    await v2.putEmailIdentityFeedbackAttributes({ EmailIdentity, EmailForwardingEnabled: false });
    await v2.putEmailIdentityMailFromAttributes({ EmailIdentity, MailFromDomain: 'm.shop.example' });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
    const DomainSigningPrivateKey = pem.replace(/-----[^-]+-----|\s/g, '');
    const own = await v2.putEmailIdentityDkimSigningAttributes({
      EmailIdentity,
      SigningAttributesOrigin: 'EXTERNAL',
      SigningAttributes: { DomainSigningSelector: 'mine', DomainSigningPrivateKey },
    });
    expect(own).toMatchObject({ DkimStatus: 'SUCCESS', DkimTokens: ['mine'] });
    expect(await v2.getEmailIdentity({ EmailIdentity })).toMatchObject({
      ConfigurationSetName: 'of-identity',
      FeedbackForwardingStatus: false,
      DkimAttributes: { SigningEnabled: false, SigningAttributesOrigin: 'EXTERNAL', Tokens: ['mine'] },
      MailFromAttributes: { MailFromDomain: 'm.shop.example', MailFromDomainStatus: 'SUCCESS' },
    });
    const refused = (SigningAttributes: object) =>
      failureOf(
        v2.putEmailIdentityDkimSigningAttributes({
          EmailIdentity,
          SigningAttributesOrigin: 'EXTERNAL',
          SigningAttributes,
        }),
      );
    expect(await refused({ DomainSigningSelector: 'mine', DomainSigningPrivateKey: 'AAAA' })).toMatch(
      /^BadRequestException: The DomainSigningPrivateKey/,
    );
    expect(await refused({ DomainSigningSelector: 'mine' })).toMatch(/^BadRequestException: The SigningAttributes/);
    await v2.putEmailIdentityDkimSigningAttributes({
      EmailIdentity,
      SigningAttributesOrigin: 'AWS_SES',
      SigningAttributes: { NextSigningKeyLength: 'RSA_1024_BIT' },
    });
    expect((await v2.getEmailIdentity({ EmailIdentity })).DkimAttributes!.CurrentSigningKeyLength).toBe('RSA_1024_BIT');
    // The SDK of Go, and with it Terraform's provider, sends the operation to its former path.
    const { v2: former } = t.clients();
    former.middlewareStack.add(
      (next) => (args) => {
        const { request } = args as { request: { path: string } };
        request.path = request.path.replace('/v2/', '/v1/');
        return next(args);
      },
      { step: 'build' },
    );
    await former.putEmailIdentityDkimSigningAttributes({
      EmailIdentity,
      SigningAttributesOrigin: 'AWS_SES',
      SigningAttributes: { NextSigningKeyLength: 'RSA_2048_BIT' },
    });
    expect((await v2.getEmailIdentity({ EmailIdentity })).DkimAttributes!.NextSigningKeyLength).toBe('RSA_2048_BIT');
    expect(
      await failureOf(
        v2.putEmailIdentityConfigurationSetAttributes({ EmailIdentity, ConfigurationSetName: 'missing' }),
      ),
    ).toBe('NotFoundException: Configuration set <missing> does not exist.');
  });

  test('creates, changes and deletes policies', async () => {
    const { v2 } = t;
    const EmailIdentity = 'shop.example';
    const policy = (Action: string) =>
      JSON.stringify({ Statement: [{ Effect: 'Allow', Principal: '*', Action, Resource: '*' }] });
    await v2.createEmailIdentityPolicy({ EmailIdentity, PolicyName: 'p', Policy: policy('ses:SendEmail') });
    expect(
      await failureOf(
        v2.createEmailIdentityPolicy({ EmailIdentity, PolicyName: 'p', Policy: policy('ses:SendEmail') }),
      ),
    ).toBe('AlreadyExistsException: Policy <p> already exists.');
    await v2.updateEmailIdentityPolicy({ EmailIdentity, PolicyName: 'p', Policy: policy('ses:SendRawEmail') });
    expect((await v2.getEmailIdentityPolicies({ EmailIdentity })).Policies).toEqual({ p: policy('ses:SendRawEmail') });
    expect(
      await failureOf(v2.updateEmailIdentityPolicy({ EmailIdentity, PolicyName: 'p', Policy: policy('s3:GetObject') })),
    ).toMatch(/^BadRequestException: Policy has the invalid action/);
    // https://docs.aws.amazon.com/ses/latest/dg/identity-authorization-policy-examples.html
    const management = policy('ses:DeleteEmailIdentity');
    await v2.updateEmailIdentityPolicy({ EmailIdentity, PolicyName: 'p', Policy: management });
    expect((await v2.getEmailIdentityPolicies({ EmailIdentity })).Policies).toEqual({ p: management });
    await v2.deleteEmailIdentityPolicy({ EmailIdentity, PolicyName: 'p' });
    expect(await failureOf(v2.deleteEmailIdentityPolicy({ EmailIdentity, PolicyName: 'p' }))).toBe(
      'NotFoundException: Policy <p> does not exist.',
    );
    await v2.deleteEmailIdentity({ EmailIdentity });
    expect(await failureOf(v2.getEmailIdentity({ EmailIdentity }))).toBe(
      'NotFoundException: Email identity shop.example does not exist.',
    );
  });
});

test('an address requires its link with manual verification', async () => {
  await using manual = await startSes({ settings: { values: { EMULATOR_SES_VERIFICATION: 'manual' } } });
  const { v2, ses } = manual;
  await v2.createEmailIdentity({ EmailIdentity: 'eve@example.com' });
  await v2.createEmailIdentity({ EmailIdentity: 'slow.example' });
  expect(await v2.getEmailIdentity({ EmailIdentity: 'slow.example' })).toMatchObject({
    VerifiedForSendingStatus: false,
    DkimAttributes: { Status: 'PENDING' },
  });
  const [mail, ofDomain] = (await manual.get<{ emails: SesEmail[] }>('/emails')).emails;
  expect(ofDomain!.destination.toAddresses).toEqual(['postmaster@slow.example']);
  await manual.open(/http\S+/.exec(ofDomain!.textBody!)![0]);
  expect(await v2.getEmailIdentity({ EmailIdentity: 'slow.example' })).toMatchObject({
    VerifiedForSendingStatus: true,
    DkimAttributes: { Status: 'SUCCESS' },
  });
  expect(mail).toMatchObject({ operation: 'VerifyEmailIdentity', destination: { toAddresses: ['eve@example.com'] } });
  const message = {
    Source: 'eve@example.com',
    Destination: { ToAddresses: ['to@example.com'] },
    Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
  };
  expect(await failureOf(ses.sendEmail(message))).toBe(
    'MessageRejected: Email address is not verified. The following identities failed the check in region US-EAST-1: eve@example.com',
  );
  const link = /http\S+/.exec(mail!.textBody!)![0];
  expect(await manual.open(`${link}x`)).toMatchObject({ status: 404 });
  expect(await manual.open(link)).toMatchObject({ status: 200 });
  expect((await ses.sendEmail(message)).MessageId).toBeDefined();
});

test('custom verification mails redirect as in their template', async () => {
  const { v2, ses } = t;
  const template = {
    TemplateName: 'welcome',
    FromEmailAddress: 'ann@example.com',
    TemplateSubject: 'Please confirm',
    TemplateContent: '<p>Hello</p>',
    SuccessRedirectionURL: 'https://example.com/yes',
    FailureRedirectionURL: 'https://example.com/no',
  };
  await ses.createCustomVerificationEmailTemplate(template);
  expect(await failureOf(v2.createCustomVerificationEmailTemplate(template))).toBe(
    'AlreadyExistsException: Custom verification email template <welcome> already exists.',
  );
  expect(
    await failureOf(
      ses.createCustomVerificationEmailTemplate({ ...template, TemplateName: 'x', FromEmailAddress: 'x@y.com' }),
    ),
  ).toBe('FromEmailAddressNotVerifiedException: From email address <x@y.com> is not verified.');
  await v2.updateCustomVerificationEmailTemplate({ ...template, TemplateSubject: 'Confirm' });
  await ses.updateCustomVerificationEmailTemplate({ TemplateName: 'welcome', TemplateContent: '<p>Hi</p>' });
  const { $metadata: _, ...kept } = await ses.getCustomVerificationEmailTemplate({ TemplateName: 'welcome' });
  expect(kept).toEqual({ ...template, TemplateSubject: 'Confirm', TemplateContent: '<p>Hi</p>' });
  expect(await v2.getCustomVerificationEmailTemplate({ TemplateName: 'welcome' })).toMatchObject(kept);
  const { TemplateContent: _content, ...listed } = kept;
  expect((await ses.listCustomVerificationEmailTemplates({})).CustomVerificationEmailTemplates).toEqual([listed]);
  expect((await v2.listCustomVerificationEmailTemplates({})).CustomVerificationEmailTemplates).toEqual([listed]);
  const sent = await v2.sendCustomVerificationEmail({ EmailAddress: 'new@example.io', TemplateName: 'welcome' });
  const identity = () => v2.getEmailIdentity({ EmailIdentity: 'new@example.io' });
  expect((await identity()).VerifiedForSendingStatus).toBe(false);
  const { emails } = await t.get<{ emails: SesEmail[] }>('/emails');
  const mail = emails.find(({ messageId }) => messageId === sent.MessageId)!;
  const link = /href="([^"]+)"/.exec(mail.htmlBody!)![1]!;
  expect((await t.open(link)).location).toBe('https://example.com/yes');
  expect((await identity()).VerifiedForSendingStatus).toBe(true);
  expect((await t.open(link)).location).toBe('https://example.com/no');
  expect(await failureOf(ses.sendCustomVerificationEmail({ EmailAddress: 'a@b.com', TemplateName: 'no' }))).toBe(
    'CustomVerificationEmailTemplateDoesNotExistException: Custom verification email template <no> does not exist.',
  );
  await ses.deleteCustomVerificationEmailTemplate({ TemplateName: 'welcome' });
  expect(await failureOf(v2.deleteCustomVerificationEmailTemplate({ TemplateName: 'welcome' }))).toBe(
    'NotFoundException: Custom verification email template <welcome> does not exist.',
  );
});
