import type { SesEmail, SesSmtpSubmission } from '@emu/control-client';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smtpPassword } from '../src/smtp/password.ts';
import { ACCOUNT, type SesTest, startSes } from './support.ts';

let t: SesTest;
let address: URL;
const FROM = 'ann@example.com';

beforeAll(async () => {
  t = await startSes({
    settings: { values: { EMULATOR_SMTP: true, EMULATOR_SMTP_ADDR: { host: '127.0.0.1', port: 0 } } },
  });
  const { address: at } = await t.get<{ address: string }>('/smtp/submissions');
  address = new URL(`smtp://${at}`);
  await t.ses.verifyDomainIdentity({ Domain: 'example.com' });
});
afterAll(() => t[Symbol.asyncDispose]());

const transport = (auth?: { user: string; pass: string }) =>
  createTransport({
    host: address.hostname,
    port: Number(address.port),
    tls: { rejectUnauthorized: false },
    ...(auth && { auth }),
  });

// Example of AWS's own program: "Obtaining SES SMTP credentials by converting existing AWS credentials".
test('derives passwords as AWS does', () => {
  const password = Buffer.from(smtpPassword('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'us-east-1'), 'base64');
  expect(password).toHaveLength(33);
  expect(password[0]).toBe(4);
});

test('accepts submissions over TLS with derived credentials', async () => {
  t.emulator.kernel.credentials.put({
    accessKeyId: 'AKIAEXAMPLE',
    secretAccessKey: 'secret',
    active: true,
    principal: { type: 'user', accountId: ACCOUNT, arn: `arn:aws:iam::${ACCOUNT}:user/ann`, userId: 'AIDA' },
  });
  const { response } = await transport({ user: 'AKIAEXAMPLE', pass: smtpPassword('secret', 'us-east-1') }).sendMail({
    from: FROM,
    to: 'to@example.org',
    bcc: 'hidden@example.org',
    subject: 'by SMTP',
    text: 'hello',
  });
  const messageId = response.split(' ').at(-1)!;
  const { emails } = await t.get<{ emails: SesEmail[] }>('/emails');
  expect(emails.at(-1)).toMatchObject({ messageId, operation: 'SMTP', subject: 'by SMTP', from: FROM });
  const { submissions } = await t.get<{ submissions: SesSmtpSubmission[] }>('/smtp/submissions');
  expect(submissions).toMatchObject([
    { messageId, accountId: ACCOUNT, mailFrom: FROM, recipients: ['to@example.org', 'hidden@example.org'] },
  ]);
  const wrong = transport({ user: 'AKIAEXAMPLE', pass: 'wrong' }).sendMail({
    from: FROM,
    to: 'to@example.org',
    text: 't',
  });
  await expect(wrong).rejects.toThrow('Authentication Credentials Invalid');
});

test('replies with errors of SES', async () => {
  const sent = transport({ user: 'test', pass: 'test' }).sendMail({
    from: 'x@evil.example',
    to: 'to@example.org',
    text: 't',
  });
  await expect(sent).rejects.toThrow(/554.*Message rejected: Email address is not verified/);
});

test('accepts mail for the rules without credentials', async () => {
  const { ses } = t;
  await expect(transport().sendMail({ from: 'a@b.example', to: 'info@example.com', text: 't' })).rejects.toThrow('550');
  await ses.createReceiptRuleSet({ RuleSetName: 'rules' });
  await ses.createReceiptRule({
    RuleSetName: 'rules',
    Rule: { Name: 'store', Enabled: true, TlsPolicy: 'Require', Actions: [{ S3Action: { BucketName: 'mails' } }] },
  });
  await ses.setActiveReceiptRuleSet({ RuleSetName: 'rules' });
  t.calls.length = 0;
  await transport().sendMail({ from: 'a@b.example', to: 'info@example.com', subject: 'in', text: 't' });
  expect(t.calls).toMatchObject([
    { operation: 'PutObject', input: { Bucket: 'mails', Body: expect.stringContaining('Subject: in') } },
  ]);
});

test('relays mail to an SMTP server', async () => {
  const server = `smtp://${'test'}:${'test'}@${address.host}`;
  await using other = await startSes({ settings: { values: { EMULATOR_SES_SMTP_RELAY: server } } });
  await other.ses.verifyDomainIdentity({ Domain: 'evil.example' });
  const { MessageId } = await other.ses.sendEmail({
    Source: 'x@evil.example',
    Destination: { ToAddresses: ['to@example.org'] },
    Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
  });
  // The other emu rejects the unknown sender.
  const { Insights } = await other.v2.getMessageInsights({ MessageId });
  expect(Insights![0]!.Events!.map(({ Type }) => Type)).toEqual(['SEND', 'BOUNCE']);
  expect(
    (await other.v2.getSuppressedDestination({ EmailAddress: 'to@example.org' })).SuppressedDestination!.Attributes!
      .MessageId,
  ).toBe(MessageId);
});
