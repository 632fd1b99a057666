import { createPublicKey, createVerify } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SesEmail, SesMetrics } from '@emu/control-client';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { timerDelay } from '../../../tools/testing/delays.ts';
import { ACCOUNT, failureOf, REGION, type SesTest, startSes, TOPIC } from './support.ts';

let t: SesTest;
const SET = 'tracked';
const FROM = 'ann@example.com';

beforeAll(async () => {
  t = await startSes();
  await t.ses.verifyDomainIdentity({ Domain: 'example.com' });
  await t.v2.createConfigurationSet({ ConfigurationSetName: SET });
  await t.ses.createConfigurationSetEventDestination({
    ConfigurationSetName: SET,
    EventDestination: {
      Name: 'all',
      Enabled: true,
      MatchingEventTypes: ['send', 'reject', 'bounce', 'complaint', 'delivery', 'open', 'click', 'renderingFailure'],
      SNSDestination: { TopicARN: TOPIC },
    },
  });
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(() => {
  t.calls.length = 0;
});

const mail = (to: string, more: object = {}) => ({
  Source: `Ann <${FROM}>`,
  Destination: { ToAddresses: [to] },
  Message: { Subject: { Data: 'Grüße' }, Body: { Text: { Data: 'text' }, Html: { Data: '<p>html</p>' } } },
  ...more,
});

/** Returns a mail by id from the control route. */
async function sent(messageId: string | undefined): Promise<SesEmail> {
  const { emails } = await t.get<{ emails: SesEmail[] }>('/emails');
  return emails.find((one) => one.messageId === messageId)!;
}

const types = () => t.published().map(({ eventType, notificationType }) => eventType ?? notificationType);

describe('a mail of version 1', () => {
  test('is composed, signed and stored completely', async () => {
    await t.ses.verifyDomainDkim({ Domain: 'example.com' });
    const { MessageId } = await t.ses.sendEmail({
      ...mail('to@example.org'),
      Destination: {
        ToAddresses: ['To <to@example.org>'],
        CcAddresses: ['cc@example.org'],
        BccAddresses: ['bcc@example.org'],
      },
      ReplyToAddresses: ['reply@example.com'],
      ReturnPath: 'bounces@example.com',
      Tags: [{ Name: 'campaign', Value: 'spring' }],
    });
    const kept = await sent(MessageId);
    expect(kept).toMatchObject({
      accountId: ACCOUNT,
      region: REGION,
      operation: 'SendEmail',
      from: `Ann <${FROM}>`,
      destination: {
        toAddresses: ['To <to@example.org>'],
        ccAddresses: ['cc@example.org'],
        bccAddresses: ['bcc@example.org'],
      },
      replyToAddresses: ['reply@example.com'],
      returnPath: 'bounces@example.com',
      subject: 'Grüße',
      htmlBody: '<p>html</p>',
      tags: { campaign: 'spring' },
    });
    expect(kept.textBody!.trim()).toBe('text');
    expect(kept.raw).not.toContain('bcc@example.org');
    expect(kept.raw!.replace(/\s+/g, ' ')).toContain(`Message-ID: <${MessageId}@email.amazonses.com>`);
    const { publicKey } = await t.get<{ publicKey: string }>('/identities/example.com/dkim-public-key');
    expect(isSigned(kept.raw!, publicKey)).toBe(true);
    expect(await t.get<SesMetrics>('/metrics')).toEqual({ sends: 1, deliveries: 3, bounces: 0, complaints: 0 });
  });

  test('requires a verified sender', async () => {
    expect(await failureOf(t.ses.sendEmail(mail('to@example.org', { Source: 'eve@evil.example' })))).toBe(
      'MessageRejected: Email address is not verified. The following identities failed the check in region US-EAST-1: eve@evil.example',
    );
    expect(await failureOf(t.ses.sendEmail(mail('to@example.org', { ReturnPath: 'x@evil.example' })))).toMatch(
      /US-EAST-1: x@evil.example$/,
    );
  });

  test('requires valid addresses', async () => {
    const to = (address: string) => failureOf(t.ses.sendEmail(mail(address)));
    expect(await to('nobody')).toBe("InvalidParameterValue: Missing final '@domain'");
    expect(await to('a@b..example')).toBe('InvalidParameterValue: Domain contains dot-dot');
    // The words of JavaMail: https://github.com/jakartaee/mail-api
    for (const [address, message] of [
      ['jörg@example.org', 'Local address contains control or whitespace'],
      ['a b@example.org', 'Local address contains control or whitespace'],
      ['Ann <a b>', 'Local address contains control or whitespace'],
      ['@example.org', 'Missing local name'],
      ['a@', 'Missing domain'],
      ['.a@example.org', 'Local address starts with dot'],
      ['a.@example.org', 'Local address ends with dot'],
      ['a..b@example.org', 'Local address contains dot-dot'],
      ['a,b@example.org', 'Local address contains illegal character'],
      ['a@.example.org', 'Domain starts with dot'],
      ['a@example.org.', 'Domain ends with dot'],
      ['a@exam ple.org', 'Domain contains control or whitespace'],
      ['a@b@example.org', 'Domain contains illegal character'],
    ] as const)
      expect([address, await to(address)]).toEqual([address, `InvalidParameterValue: ${message}`]);
    const many = Array.from({ length: 51 }, (_, index) => `a${index}@example.org`);
    expect(await failureOf(t.ses.sendEmail({ ...mail(''), Destination: { ToAddresses: many } }))).toBe(
      'InvalidParameterValue: Recipient count exceeds 50.',
    );
  });

  // All messages are recorded.
  test.each([
    [
      'test_invalid_name:123',
      'test',
      "Invalid tag name <test_invalid_name:123>: only alphanumeric ASCII characters, '_',  '-' are allowed.",
    ],
    [
      'test',
      'test_invalid_value:123',
      "Invalid tag value <test_invalid_value:123>: only alphanumeric ASCII characters, '_',  '-' , '.', '@' are allowed.",
    ],
    ['n'.repeat(256), 'test', 'Tag name cannot exceed 255 characters.'],
    ['test', 'v'.repeat(256), 'Tag value cannot exceed 255 characters.'],
    ['', 'test', 'The tag name must be specified.'],
    ['test', '', 'The tag value must be specified.'],
  ])('rejects the tag %s', async (Name, Value, message) => {
    expect(await failureOf(t.ses.sendEmail(mail('to@example.org', { Tags: [{ Name, Value }] })))).toBe(
      `InvalidParameterValue: ${message}`,
    );
  });

  test('can be disabled for the account and for a configuration set', async () => {
    const { ses } = t;
    await ses.updateAccountSendingEnabled({ Enabled: false });
    expect((await ses.getAccountSendingEnabled({})).Enabled).toBe(false);
    expect(await failureOf(ses.sendEmail(mail('to@example.org')))).toMatch(/^AccountSendingPausedException/);
    await ses.updateAccountSendingEnabled({ Enabled: true });
    await ses.updateConfigurationSetSendingEnabled({ ConfigurationSetName: SET, Enabled: false });
    const withSet = (ConfigurationSetName: string) =>
      failureOf(ses.sendEmail(mail('to@example.org', { ConfigurationSetName })));
    expect(await withSet(SET)).toMatch(/^ConfigurationSetSendingPausedException/);
    await ses.updateConfigurationSetSendingEnabled({ ConfigurationSetName: SET, Enabled: true });
    expect(await withSet('missing')).toBe(
      'ConfigurationSetDoesNotExistException: Configuration set <missing> does not exist.',
    );
  });

  test('counts', async () => {
    const before = (await t.ses.getSendQuota({})).SentLast24Hours!;
    await t.ses.sendEmail(mail('bounce@simulator.amazonses.com'));
    expect(await t.ses.getSendQuota({})).toMatchObject({
      Max24HourSend: 50_000,
      MaxSendRate: 14,
      SentLast24Hours: before + 1,
    });
    const [point] = (await t.ses.getSendStatistics({})).SendDataPoints!;
    expect(point).toMatchObject({ DeliveryAttempts: before + 1, Bounces: 1, Complaints: 0, Rejects: 0 });
  });
});

/** Whether a mail's DKIM signature matches a key, by RFC 6376, verified without nodemailer. */
function isSigned(raw: string, publicKey: string): boolean {
  const [head = ''] = raw.split('\r\n\r\n');
  const fields = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const field = fields.find((one) => /^DKIM-Signature:/i.test(one))!;
  const tag = (name: string) => new RegExp(`[;\\s]${name}=([^;]*)`).exec(field)![1]!.replace(/\s/g, '');
  const relaxed = (one: string) => {
    const colon = one.indexOf(':');
    return `${one.slice(0, colon).toLowerCase().trim()}:${one
      .slice(colon + 1)
      .replace(/\s+/g, ' ')
      .trim()}`;
  };
  const signed = tag('h')
    .split(':')
    .map((name) => relaxed(fields.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`))!));
  const text = [...signed, relaxed(field.replace(/([;\s]b=)[^;]*/, '$1'))].join('\r\n');
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return createVerify('sha256').update(text).verify(key, tag('b'), 'base64');
}

describe('the mailbox simulator', () => {
  test.each([
    ['success', ['Send', 'Delivery']],
    ['bounce+label', ['Send', 'Bounce']],
    ['complaint', ['Send', 'Delivery', 'Complaint']],
    ['ooto', ['Send', 'Delivery']],
    ['suppressionlist', ['Send', 'Bounce']],
  ])('simulates %s', async (mailbox, events) => {
    await t.ses.sendEmail(mail(`${mailbox}@simulator.amazonses.com`, { ConfigurationSetName: SET }));
    expect(types()).toEqual(events);
  });

  test('events have the recorded form', async () => {
    const { MessageId } = await t.ses.sendEmail(
      mail('success@simulator.amazonses.com', {
        ConfigurationSetName: SET,
        Tags: [{ Name: 'custom-tag', Value: 'v' }],
      }),
    );
    const { input, principal } = t.calls[0]!;
    expect(principal).toBe('ses.amazonaws.com');
    expect(input).toMatchObject({ TopicArn: TOPIC, Subject: 'Amazon SES Email Event Notification' });
    const [send, delivery] = t.published();
    expect(send).toMatchObject({
      eventType: 'Send',
      send: {},
      mail: {
        source: `Ann <${FROM}>`,
        sourceArn: `arn:aws:ses:${REGION}:${ACCOUNT}:identity/example.com`,
        sendingAccountId: ACCOUNT,
        messageId: MessageId,
        destination: ['success@simulator.amazonses.com'],
        headersTruncated: false,
        commonHeaders: {
          from: [`Ann <${FROM}>`],
          to: ['success@simulator.amazonses.com'],
          messageId: MessageId,
          subject: 'Grüße',
        },
        tags: {
          'ses:operation': ['SendEmail'],
          'ses:configuration-set': [SET],
          'ses:from-domain': ['example.com'],
          'custom-tag': ['v'],
        },
      },
    });
    expect(delivery).toMatchObject({
      eventType: 'Delivery',
      delivery: { recipients: ['success@simulator.amazonses.com'], smtpResponse: '250 2.6.0 Message received' },
    });
    const sentMail: { headers: { name: string }[]; commonHeaders: object } = send!.mail!;
    expect(sentMail.headers.map(({ name }) => name).sort()).toEqual([
      'Content-Type',
      'From',
      'MIME-Version',
      'Subject',
      'To',
    ]);
    expect(sentMail.commonHeaders).not.toHaveProperty('date');
    expect(send).not.toHaveProperty(['mail', 'tags', 'ses:outgoing-ip']);
    expect(delivery).toHaveProperty(['mail', 'tags', 'ses:outgoing-ip']);
    const log = await t.get<{ deliveries: { status: string; eventType: string }[] }>('/event-destinations/deliveries');
    expect(log.deliveries.at(-1)).toMatchObject({
      configurationSetName: SET,
      eventDestinationName: 'all',
      eventType: 'Delivery',
      status: 'delivered',
    });
  });

  test('bounces are mailed back unless there is a topic', async () => {
    await t.ses.sendEmail(mail('bounce@simulator.amazonses.com'));
    const { emails } = await t.get<{ emails: SesEmail[] }>('/emails');
    expect(emails.at(-1)).toMatchObject({ operation: 'BounceForwarding', destination: { toAddresses: [FROM] } });
    const Identity = 'example.com';
    await t.ses.setIdentityNotificationTopic({ Identity, NotificationType: 'Bounce', SnsTopic: TOPIC });
    await t.ses.sendEmail(mail('bounce@simulator.amazonses.com'));
    const [notification] = t.published();
    expect(notification).toMatchObject({
      notificationType: 'Bounce',
      bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ status: '5.1.1' }] },
      mail: { source: `Ann <${FROM}>` },
    });
    expect(notification).not.toHaveProperty('mail.headers');
    expect(notification).not.toHaveProperty('mail.tags');
    await t.ses.setIdentityHeadersInNotificationsEnabled({ Identity, NotificationType: 'Bounce', Enabled: true });
    await t.ses.sendEmail(mail('bounce@simulator.amazonses.com'));
    expect(t.published()[0]).toHaveProperty('mail.commonHeaders.subject', 'Grüße');
    await t.ses.setIdentityNotificationTopic({ Identity, NotificationType: 'Bounce' });
  });

  test('rejects a virus', async () => {
    const Data = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
    await t.ses.sendEmail({
      ...mail('to@example.org', { ConfigurationSetName: SET }),
      Message: { Subject: { Data: 's' }, Body: { Text: { Data } } },
    });
    expect(t.published()[1]).toMatchObject({ eventType: 'Reject', reject: { reason: 'Bad content' } });
  });
});

describe('raw mail', () => {
  const raw = (...lines: string[]) => ({ Data: Buffer.from(lines.join('\r\n')) });

  test('has recipients in its header, unless the request has them', async () => {
    const message = raw(
      `From: Ann <${FROM}>`,
      'To: to@example.org',
      'Bcc: hidden@example.org',
      'Subject: =?UTF-8?B?R3LDvMOfZQ==?=',
      `X-SES-CONFIGURATION-SET: ${SET}`,
      'X-SES-MESSAGE-TAGS: a=b, c=d',
      '',
      'hello',
    );
    const { MessageId } = await t.ses.sendRawEmail({ RawMessage: message });
    const kept = await sent(MessageId);
    expect(kept).toMatchObject({
      operation: 'SendRawEmail',
      subject: 'Grüße',
      destination: { toAddresses: ['to@example.org'], bccAddresses: ['hidden@example.org'] },
      configurationSetName: SET,
      tags: { a: 'b', c: 'd' },
    });
    expect(kept.raw).not.toMatch(/hidden|X-SES/);
    expect(types()).toEqual(['Send', 'Delivery']);
    const other = await t.ses.sendRawEmail({ RawMessage: message, Destinations: ['other@example.org'] });
    expect((await sent(other.MessageId)).destination).toEqual({
      toAddresses: ['other@example.org'],
      ccAddresses: [],
      bccAddresses: [],
    });
  });

  test('requires a sender', async () => {
    expect(await failureOf(t.ses.sendRawEmail({ RawMessage: raw('To: a@b.example', '', 'x') }))).toBe(
      "InvalidParameterValue: Missing required header 'From'.",
    );
    expect(await failureOf(t.ses.sendRawEmail({ RawMessage: raw(`From: ${FROM}`, '', 'x') }))).toBe(
      'InvalidParameterValue: The message has no recipients.',
    );
  });

  test("is sent by nodemailer's SES transport", async () => {
    const { SendEmailCommand } = await import('@aws-sdk/client-sesv2');
    const transport = createTransport({ SES: { sesClient: t.v2, SendEmailCommand } } as never);
    const { messageId } = await transport.sendMail({
      from: FROM,
      to: 'to@example.org',
      subject: 's',
      text: 'hi',
      attachments: [{ filename: 'a.txt', content: 'attached' }],
    });
    const kept = await sent(messageId.replace(/^<|@.*$/g, ''));
    expect(kept).toMatchObject({
      subject: 's',
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', bytes: 8 }],
    });
  });
});

describe('templates', () => {
  const TemplateName = 'hello';

  test('are stored and rendered', async () => {
    const { ses, v2 } = t;
    await ses.createTemplate({
      Template: {
        TemplateName,
        SubjectPart: 'Hi {{name}}',
        TextPart: '{{#each list}}{{this}},{{/each}}',
        HtmlPart: '<b>{{name}}</b>',
      },
    });
    expect(await failureOf(v2.createEmailTemplate({ TemplateName, TemplateContent: { Subject: 's' } }))).toBe(
      'AlreadyExistsException: Template hello already exists.',
    );
    expect(await failureOf(ses.createTemplate({ Template: { TemplateName: 'bad', SubjectPart: '{{#if' } }))).toMatch(
      /^InvalidTemplateException/,
    );
    expect((await ses.getTemplate({ TemplateName })).Template!.SubjectPart).toBe('Hi {{name}}');
    expect((await v2.getEmailTemplate({ TemplateName })).TemplateContent!.Html).toBe('<b>{{name}}</b>');
    expect((await ses.listTemplates({})).TemplatesMetadata!.map(({ Name }) => Name)).toEqual([TemplateName]);
    expect((await v2.listEmailTemplates({})).TemplatesMetadata!.map((one) => one.TemplateName)).toEqual([TemplateName]);
    const { RenderedTemplate } = await ses.testRenderTemplate({
      TemplateName,
      TemplateData: '{"name":"<Ann>","list":[1,2]}',
    });
    expect(RenderedTemplate).toContain('Subject: Hi <Ann>');
    expect(RenderedTemplate).toContain('1,2,');
    expect(RenderedTemplate).toContain('<b><Ann></b>');
    const render = (TemplateData: string) => failureOf(ses.testRenderTemplate({ TemplateName, TemplateData }));
    expect(await render('{"list":[]}')).toBe(
      "MissingRenderingAttributeException: Attribute 'name' is not present in the rendering data.",
    );
    expect(await render('no')).toMatch(/^InvalidRenderingParameterException/);
    expect(await failureOf(v2.testRenderEmailTemplate({ TemplateName, TemplateData: '{}' }))).toMatch(
      /^BadRequestException: Attribute 'name'/,
    );
    expect(await failureOf(ses.testRenderTemplate({ TemplateName: 'no', TemplateData: '{}' }))).toBe(
      'TemplateDoesNotExistException: Template no does not exist',
    );
  });

  test('access only their data, and terminate', async () => {
    const { ses } = t;
    const rendering = async (TextPart: string, data: object) => {
      await ses.createTemplate({ Template: { TemplateName: 'evil', SubjectPart: 's', TextPart } });
      const failure = await failureOf(
        ses.testRenderTemplate({ TemplateName: 'evil', TemplateData: JSON.stringify(data) }),
      );
      await ses.deleteTemplate({ TemplateName: 'evil' });
      return failure;
    };
    expect(await rendering('{{constructor.constructor}}', {})).toMatch(/^MissingRenderingAttribute/);
    const list = Array.from({ length: 400 }, () => 1);
    const loop = '{{#each @root.list}}{{#each @root.list}}x{{/each}}{{/each}}';
    expect(await rendering(`{{#each list}}${loop}{{/each}}`, { list })).toBe(
      'InvalidRenderingParameterException: The template has too many iterations.',
    );
    const twice = Array.from(
      { length: 40 },
      (_, at) => `{{#*inline "p${at}"}}{{> p${at + 1}}}{{> p${at + 1}}}{{/inline}}`,
    );
    expect(await rendering(`${twice.join('')}{{#*inline "p40"}}x{{/inline}}{{> p0}}`, {})).toBe(
      'InvalidRenderingParameterException: The template has too many iterations.',
    );
  });

  test('fail above a limit, without delay of the main thread', async () => {
    const { ses } = t;
    const list = Array.from({ length: 300 }, (_, at) => `item ${at} of a list that is printed in each iteration`);
    await ses.createTemplate({
      Template: {
        TemplateName: 'large',
        SubjectPart: 's',
        TextPart: '{{#each list}}{{#each @root.list}}{{@root.list}}{{/each}}{{/each}}',
      },
    });
    const delay = await timerDelay(async () => {
      const rendering = ses.testRenderTemplate({ TemplateName: 'large', TemplateData: JSON.stringify({ list }) });
      expect(await failureOf(rendering)).toMatch(
        /^InvalidRenderingParameterException: The (?:rendered template is too large|template (?:takes too long|needs too much memory|could not be rendered))\.$/,
      );
    });
    expect(delay).toBeLessThan(100);
    await ses.deleteTemplate({ TemplateName: 'large' });
  });

  test('are sent; missing data is reported by an event only', async () => {
    const { ses } = t;
    const templated = (TemplateData: string) =>
      ses.sendTemplatedEmail({
        Source: FROM,
        Destination: { ToAddresses: ['success@simulator.amazonses.com'] },
        ConfigurationSetName: SET,
        Template: TemplateName,
        TemplateData,
      });
    const { MessageId } = await templated('{"name":"Ann","list":["a"]}');
    expect(await sent(MessageId)).toMatchObject({
      subject: 'Hi Ann',
      htmlBody: expect.stringMatching(/^<b>Ann<\/b><img /),
      templateName: TemplateName,
      templateData: '{"name":"Ann","list":["a"]}',
    });
    // Recorded: the Send event describes the mail before rendering.
    const [send, delivery] = t.published();
    expect(send).toMatchObject({ eventType: 'Send', mail: { commonHeaders: { from: [FROM] } } });
    expect(send).not.toHaveProperty('mail.sourceArn');
    expect(send).not.toHaveProperty('mail.commonHeaders.subject');
    expect(delivery).toMatchObject({
      eventType: 'Delivery',
      mail: { sourceArn: expect.any(String), commonHeaders: { subject: 'Hi Ann', date: expect.any(String) } },
    });
    const failed = await templated('{"list":[]}');
    expect(await sent(failed.MessageId)).toBeUndefined();
    expect(t.published()).toMatchObject([
      {
        eventType: 'Rendering Failure',
        failure: { errorMessage: "Attribute 'name' is not present in the rendering data.", templateName: TemplateName },
      },
    ]);
    expect(
      await failureOf(
        ses.sendTemplatedEmail({
          Source: FROM,
          Destination: { ToAddresses: ['to@example.org'] },
          Template: 'no',
          TemplateData: '{}',
        }),
      ),
    ).toBe('TemplateDoesNotExistException: Template no does not exist');
  });

  test('are sent to many with individual data', async () => {
    const { ses, v2 } = t;
    const { Status } = await ses.sendBulkTemplatedEmail({
      Source: FROM,
      Template: TemplateName,
      DefaultTemplateData: '{"name":"all","list":[]}',
      DefaultTags: [{ Name: 'a', Value: '1' }],
      Destinations: [
        { Destination: { ToAddresses: ['one@example.org'] }, ReplacementTemplateData: '{"name":"one"}' },
        { Destination: { ToAddresses: ['nobody'] } },
        { Destination: { ToAddresses: ['two@example.org'] }, ReplacementTags: [{ Name: 'a', Value: '2' }] },
      ],
    });
    expect(Status!.map((one) => one.Status)).toEqual(['Success', 'InvalidParameterValue', 'Success']);
    expect(await sent(Status![0]!.MessageId)).toMatchObject({ subject: 'Hi one', tags: { a: '1' } });
    expect(await sent(Status![2]!.MessageId)).toMatchObject({ subject: 'Hi all', tags: { a: '2' } });
    const { BulkEmailEntryResults } = await v2.sendBulkEmail({
      FromEmailAddress: FROM,
      DefaultContent: { Template: { TemplateName, TemplateData: '{"name":"v2","list":[]}' } },
      BulkEmailEntries: [
        {
          Destination: { ToAddresses: ['one@example.org'] },
          ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '{"name":"uno"}' } },
          ReplacementHeaders: [{ Name: 'X-Own', Value: 'yes' }],
        },
        { Destination: { ToAddresses: ['@'] } },
      ],
    });
    expect(BulkEmailEntryResults!.map((one) => one.Status)).toEqual(['SUCCESS', 'INVALID_PARAMETER']);
    const kept = await sent(BulkEmailEntryResults![0]!.MessageId);
    expect(kept.subject).toBe('Hi uno');
    expect(kept.headers).toContainEqual({ name: 'X-Own', value: 'yes' });
  });

  test('are changed and deleted', async () => {
    const { ses, v2 } = t;
    await ses.updateTemplate({ Template: { TemplateName, SubjectPart: 'a' } });
    expect((await v2.getEmailTemplate({ TemplateName })).TemplateContent).toEqual({ Subject: 'a' });
    await v2.updateEmailTemplate({ TemplateName, TemplateContent: { Subject: 'b', Text: 't' } });
    expect((await ses.getTemplate({ TemplateName })).Template).toEqual({
      TemplateName,
      SubjectPart: 'b',
      TextPart: 't',
    });
    await v2.deleteEmailTemplate({ TemplateName });
    expect(await failureOf(v2.deleteEmailTemplate({ TemplateName }))).toBe(
      'NotFoundException: Template hello does not exist',
    );
    expect(await failureOf(ses.updateTemplate({ Template: { TemplateName } }))).toMatch(/^TemplateDoesNotExist/);
  });
});

describe('a mail of version 2', () => {
  const content = { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } };

  test('has a limited number of parts', async () => {
    const to = { FromEmailAddress: FROM, Destination: { ToAddresses: ['to@example.org'] } };
    const Attachments = Array.from({ length: 501 }, (_, index) => ({
      RawContent: Buffer.from('x'),
      FileName: `${index}.txt`,
    }));
    expect(await failureOf(t.v2.sendEmail({ ...to, Content: { Simple: { ...content.Simple, Attachments } } }))).toBe(
      'BadRequestException: A message can have at most 500 MIME parts.',
    );
    const Data = Buffer.from(
      [
        `From: ${FROM}\r\nTo: to@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`,
        ...Array.from({ length: 5000 }, () => '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'),
        '--b--\r\n',
      ].join(''),
    );
    expect(await failureOf(t.v2.sendEmail({ Content: { Raw: { Data } } }))).toBe(
      'MessageRejected: The message could not be parsed: Max allowed child nodes exceeded.',
    );
  });

  test('has headers and attachments', async () => {
    const { MessageId } = await t.v2.sendEmail({
      FromEmailAddress: FROM,
      Destination: { ToAddresses: ['to@example.org'] },
      Content: {
        Simple: {
          ...content.Simple,
          Headers: [{ Name: 'X-Mine', Value: 'yes' }],
          Attachments: [{ RawContent: Buffer.from('pdf'), FileName: 'a.pdf', ContentDisposition: 'ATTACHMENT' }],
        },
      },
      EmailTags: [{ Name: 'a', Value: 'b' }],
    });
    const kept = await sent(MessageId);
    expect(kept.attachments).toEqual([{ filename: 'a.pdf', contentType: 'application/pdf', bytes: 3 }]);
    expect(kept.headers).toContainEqual({ name: 'X-Mine', value: 'yes' });
    const insights = await t.v2.getMessageInsights({ MessageId });
    expect(insights).toMatchObject({ FromEmailAddress: FROM, Subject: 's' });
    expect(insights.Insights).toMatchObject([
      { Destination: 'to@example.org', Isp: 'example.org', Events: [{ Type: 'SEND' }, { Type: 'DELIVERY' }] },
    ]);
    expect(await t.get(`/messages/${MessageId}/insights`)).toMatchObject({
      messageId: MessageId,
      insights: [{ destination: 'to@example.org', events: [{ type: 'SEND' }, { type: 'DELIVERY' }] }],
    });
    expect(await failureOf(t.v2.getMessageInsights({ MessageId: 'no' }))).toMatch(/^NotFoundException/);
    await expect(t.get('/messages/no/insights')).rejects.toMatchObject({ status: 404 });
  });

  test('is rejected with the errors of version 2', async () => {
    const send = (more: object) =>
      failureOf(
        t.v2.sendEmail({
          FromEmailAddress: FROM,
          Destination: { ToAddresses: ['to@x.example'] },
          Content: content,
          ...more,
        }),
      );
    expect(await send({ Content: {} })).toBe(
      'BadRequestException: The content must be exactly one of Simple, Raw and Template.',
    );
    expect(await send({ ConfigurationSetName: 'no' })).toBe(
      'NotFoundException: Configuration set <no> does not exist.',
    );
    expect(await send({ FromEmailAddress: 'x@evil.example' })).toMatch(
      /^MessageRejected: Email address is not verified/,
    );
    expect(await send({ Content: { Template: { TemplateName: 'no', TemplateData: '{}' } } })).toBe(
      'NotFoundException: Template no does not exist',
    );
    expect(await send({ Content: { Simple: { ...content.Simple, Headers: [{ Name: 'From', Value: 'x' }] } } })).toBe(
      'BadRequestException: Header <From> is not allowed.',
    );
    expect(
      await send({ Content: { Simple: { ...content.Simple, Subject: { Data: 's', Charset: 'Shift_JIS' } } } }),
    ).toMatch(/^NotImplemented/);
  });

  test('is counted in metrics', async () => {
    const [StartDate, EndDate] = [new Date('2025-12-31'), new Date('2026-01-02')];
    const query = { Namespace: 'VDM' as const, StartDate, EndDate };
    const { Results } = await t.v2.batchGetMetricData({
      Queries: [
        { ...query, Id: 'sent', Metric: 'SEND', Dimensions: { ISP: 'x.example' } },
        { ...query, Id: 'bounced', Metric: 'PERMANENT_BOUNCE' },
      ],
    });
    expect(Results![0]).toEqual({ Id: 'sent', Timestamps: [], Values: [] });
    expect(Results![1]!.Values![0]).toBeGreaterThan(0);
  });
});

test('suppressed addresses bounce without a delivery', async () => {
  const { v2 } = t;
  const send = (to: string) => t.ses.sendEmail(mail(to, { ConfigurationSetName: SET }));
  await v2.putSuppressedDestination({ EmailAddress: 'Gone@example.org', Reason: 'BOUNCE' });
  expect((await v2.getSuppressedDestination({ EmailAddress: 'gone@example.org' })).SuppressedDestination).toMatchObject(
    {
      EmailAddress: 'gone@example.org',
      Reason: 'BOUNCE',
    },
  );
  await v2.putSuppressedDestination({ EmailAddress: 'angry@example.org', Reason: 'COMPLAINT' });
  expect(
    (await v2.listSuppressedDestinations({ Reasons: ['COMPLAINT'] })).SuppressedDestinationSummaries,
  ).toMatchObject([{ EmailAddress: 'angry@example.org' }]);
  await send('gone@example.org');
  expect(t.published()[1]).toMatchObject({
    eventType: 'Bounce',
    bounce: { bounceSubType: 'OnAccountSuppressionList' },
  });
  await send('angry@example.org');
  expect(t.published()[1]).toMatchObject({ complaint: { complaintSubType: 'OnAccountSuppressionList' } });
  await v2.putConfigurationSetSuppressionOptions({ ConfigurationSetName: SET, SuppressedReasons: ['BOUNCE'] });
  await send('angry@example.org');
  expect(types()).toEqual(['Send', 'Delivery']);
  await v2.putAccountSuppressionAttributes({ SuppressedReasons: [] });
  expect((await v2.getAccount({})).SuppressionAttributes!.SuppressedReasons).toEqual([]);
  await v2.deleteSuppressedDestination({ EmailAddress: 'gone@example.org' });
  expect(await failureOf(v2.deleteSuppressedDestination({ EmailAddress: 'gone@example.org' }))).toBe(
    'NotFoundException: Email address gone@example.org does not exist on your suppression list.',
  );
});

test('tracks opens and clicks', async () => {
  const html =
    '<body><a href="https://example.org/a?b=1&amp;c=2" ses:tags="kind:big;">A</a><a ses:no-track href="https://x.org">B</a></body>';
  const { MessageId } = await t.ses.sendEmail({
    ...mail('to@example.org', { ConfigurationSetName: SET }),
    Message: { Subject: { Data: 's' }, Body: { Html: { Data: html } } },
  });
  t.calls.length = 0;
  const { htmlBody } = await sent(MessageId);
  expect(htmlBody).toContain('<a href="https://x.org">B</a>');
  const [, link] = /<a href="([^"]+)">A/.exec(htmlBody!)!;
  const [, picture] = /src="([^"]+)"/.exec(htmlBody!)!;
  expect(await t.open(link!)).toMatchObject({ status: 302, location: 'https://example.org/a?b=1&c=2' });
  expect(await t.open(picture!)).toMatchObject({ status: 200 });
  expect(t.published()).toMatchObject([
    {
      eventType: 'Click',
      click: {
        link: 'https://example.org/a?b=1&c=2',
        linkTags: { kind: ['big'] },
        ipAddress: '127.0.0.1',
        userAgent: 'reader',
      },
    },
    { eventType: 'Open', open: { userAgent: 'reader' } },
  ]);
  expect((await t.open(`${link}x`)).status).toBe(404);
});

test('tracks opens and clicks of raw mail with any parts', async () => {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const raw = [
    'From: ann@example.com',
    'To: to@example.org',
    'Subject: raw',
    `X-SES-CONFIGURATION-SET: ${SET}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    'Content-Type: multipart/alternative; boundary="inner"',
    '',
    '--inner',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'See https://example.org/plain',
    '--inner',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    encode('<body>Grüße <a href="https://example.org/raw">A</a></body>'),
    '--inner--',
    '--outer',
    'Content-Type: text/html; name="page.html"',
    'Content-Disposition: attachment; filename="page.html"',
    'Content-Transfer-Encoding: base64',
    '',
    encode('<a href="https://example.org/attached">B</a>'),
    '--outer--',
    '',
  ].join('\r\n');
  const { MessageId } = await t.ses.sendRawEmail({ RawMessage: { Data: Buffer.from(raw) } });
  t.calls.length = 0;
  const { htmlBody, textBody, raw: message } = await sent(MessageId);
  expect(htmlBody).toContain('Grüße');
  expect(textBody).toContain('https://example.org/plain');
  expect(message).toContain(encode('<a href="https://example.org/attached">B</a>'));
  const [, link] = /<a href="([^"]+)">A/.exec(htmlBody!)!;
  const [, picture] = /src="([^"]+)"/.exec(htmlBody!)!;
  expect(await t.open(link!)).toMatchObject({ status: 302, location: 'https://example.org/raw' });
  expect(await t.open(picture!)).toMatchObject({ status: 200 });
  expect(t.published()).toMatchObject([
    { eventType: 'Click', click: { link: 'https://example.org/raw' } },
    { eventType: 'Open' },
  ]);
});

test('requires verified recipients in the sandbox', async () => {
  const { ses, v2 } = t;
  expect(await t.post('/account/sandbox', { sandbox: true })).toEqual({
    sandbox: true,
    accountId: ACCOUNT,
    region: REGION,
  });
  expect(await failureOf(ses.sendEmail(mail('to@other.example')))).toMatch(/US-EAST-1: to@other.example$/);
  await ses.sendEmail(mail('success@simulator.amazonses.com'));
  expect(await ses.getSendQuota({})).toMatchObject({ Max24HourSend: 200, MaxSendRate: 1 });
  await v2.putAccountDetails({
    MailType: 'TRANSACTIONAL',
    WebsiteURL: 'https://example.com',
    ProductionAccessEnabled: true,
  });
  expect((await v2.getAccount({})).Details!.ReviewDetails!.Status).toBe('PENDING');
  await t.post('/account/sandbox', { sandbox: false });
  expect(await v2.getAccount({})).toMatchObject({
    ProductionAccessEnabled: true,
    Details: { ReviewDetails: { Status: 'GRANTED' } },
  });
  await expect(t.post('/account/sandbox', {})).rejects.toMatchObject({ status: 400 });
});

test('writes mails to the outbox', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'emu-ses-'));
  try {
    await using other = await startSes({ settings: { values: { EMULATOR_SES_OUTBOX: directory } } });
    await other.ses.verifyEmailIdentity({ EmailAddress: FROM });
    const { MessageId } = await other.ses.sendEmail(mail('to@example.org'));
    expect(await readFile(join(directory, `${MessageId}.eml`), 'utf8')).toContain('To: to@example.org');
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("returns and deletes mails in LocalStack's form", async () => {
  const route = async (method: string, query = '') => {
    const { status, json } = await t.emulator.control(method, `/_aws/ses${query}`);
    expect(status).toBe(200);
    return json as { messages: Record<string, unknown>[] };
  };
  await route('DELETE');
  const { MessageId } = await t.ses.sendEmail(mail('to@example.org'));
  const Data = Buffer.from('From: bob@example.com\r\nTo: to@example.org\r\nSubject: raw\r\n\r\ntext');
  const raw = await t.ses.sendRawEmail({ Source: 'bob@example.com', RawMessage: { Data } });
  const shown = {
    Id: MessageId,
    Region: REGION,
    Source: `Ann <${FROM}>`,
    Timestamp: expect.any(String),
    Destination: { ToAddresses: ['to@example.org'] },
    Subject: 'Grüße',
    Body: { text_part: 'text', html_part: '<p>html</p>' },
  };
  expect(await route('GET', `?email=${FROM}`)).toEqual({ messages: [shown] });
  expect((await route('GET')).messages).toEqual([
    shown,
    expect.objectContaining({ Id: raw.MessageId, RawData: expect.stringContaining('Subject: raw') }),
  ]);
  await route('DELETE', `?id=${MessageId}`);
  expect((await route('GET')).messages.map(({ Id }) => Id)).toEqual([raw.MessageId]);
  expect(await route('GET', `?id=${MessageId}`)).toEqual({ messages: [] });
});
