import type { SesBounce, SesEmail, SesInboundResult } from '@emu/control-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FUNCTION, failureOf, ROLE, type SesTest, startSes, TOPIC } from './support.ts';

let t: SesTest;
const RuleSetName = 'rules';

beforeAll(async () => {
  t = await startSes();
  await t.ses.verifyDomainIdentity({ Domain: 'example.com' });
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(() => {
  t.calls.length = 0;
});

const rule = (Name: string, Actions: object[], more: object = {}) => ({
  RuleSetName,
  Rule: { Name, Enabled: true, Actions, ...more },
});
const INSTANCE = 'arn:aws:connect:us-east-1:000000000000:instance/01234567-89ab-cdef-0123-456789abcdef';
const header = { AddHeaderAction: { HeaderName: 'X-A', HeaderValue: 'b' } };

describe('rule sets', () => {
  test('are created, cloned, activated and deleted', async () => {
    const { ses } = t;
    await ses.createReceiptRuleSet({ RuleSetName });
    expect(await failureOf(ses.createReceiptRuleSet({ RuleSetName }))).toBe(
      'AlreadyExistsException: Rule set already exists: rules',
    );
    await ses.createReceiptRule(rule('a', [header]));
    await ses.cloneReceiptRuleSet({ RuleSetName: 'copy', OriginalRuleSetName: RuleSetName });
    // Recorded: missing members have their defaults in responses.
    expect((await ses.describeReceiptRuleSet({ RuleSetName: 'copy' })).Rules).toEqual([
      { Name: 'a', Enabled: true, TlsPolicy: 'Optional', Actions: [header], ScanEnabled: false },
    ]);
    expect((await ses.listReceiptRuleSets({})).RuleSets!.map(({ Name }) => Name)).toEqual(['copy', 'rules']);
    expect((await ses.describeActiveReceiptRuleSet({})).Metadata).toBeUndefined();
    await ses.setActiveReceiptRuleSet({ RuleSetName });
    expect((await ses.describeActiveReceiptRuleSet({})).Metadata!.Name).toBe(RuleSetName);
    expect(await failureOf(ses.deleteReceiptRuleSet({ RuleSetName }))).toBe(
      'CannotDeleteException: Cannot delete active rule set: rules',
    );
    await ses.deleteReceiptRuleSet({ RuleSetName: 'copy' });
    for (const request of [
      ses.describeReceiptRuleSet({ RuleSetName: 'copy' }),
      ses.setActiveReceiptRuleSet({ RuleSetName: 'copy' }),
      ses.cloneReceiptRuleSet({ RuleSetName: 'x', OriginalRuleSetName: 'copy' }),
    ])
      await expect(request).rejects.toThrow('Rule set does not exist: copy');
  });

  // https://github.com/floci-io/floci/pull/3119
  test('have names that are checked before anything else', async () => {
    const { ses } = t;
    const pattern = (path: string) =>
      `ValidationError: 1 validation error detected: Value at '${path}' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[a-zA-Z0-9_.-]+$`;
    const none = { RuleSetName: 'none', RuleName: 'none' };
    for (const [request, message] of [
      [ses.createReceiptRuleSet({ RuleSetName: 'a b' }), pattern('ruleSetName')],
      [ses.createReceiptRule({ ...rule('a b', []), RuleSetName: 'none' }), pattern('rule.name')],
      [ses.createReceiptRule({ ...rule('x', []), After: 'a b' }), pattern('after')],
      [ses.describeReceiptRule({ ...none, RuleName: 'a/b' }), pattern('ruleName')],
      [ses.createReceiptRuleSet({ RuleSetName: '-a' }), 'InvalidParameterValue: Not a valid ruleSetName: -a'],
      [ses.describeReceiptRuleSet({ RuleSetName: 'a_' }), 'InvalidParameterValue: Not a valid ruleSetName: a_'],
      [
        ses.deleteReceiptRuleSet({ RuleSetName: 'a'.repeat(65) }),
        `InvalidParameterValue: Not a valid ruleSetName: ${'a'.repeat(65)}`,
      ],
      [
        ses.createReceiptRule({ ...rule('.a', []), RuleSetName: 'none' }),
        'InvalidParameterValue: Not a valid ruleName: .a',
      ],
      [ses.deleteReceiptRule({ ...none, RuleName: 'a-' }), 'InvalidParameterValue: Not a valid ruleName: a-'],
      [ses.createReceiptRule({ ...rule('x', []), After: '-' }), 'RuleDoesNotExistException: Rule does not exist: -'],
      [
        ses.createReceiptRule(rule('x', Array(11).fill({ SNSAction: { TopicArn: 'none' } }))),
        'LimitExceededException: Too many actions',
      ],
      [ses.deleteReceiptRule(none), 'RuleSetDoesNotExistException: Rule set does not exist: none'],
    ] as const)
      expect(await failureOf(request)).toBe(message);
    await ses.createReceiptRule(rule('told', [{ SNSAction: { TopicArn: TOPIC } }]));
    expect((await ses.describeReceiptRule({ RuleSetName, RuleName: 'told' })).Rule!.Actions).toEqual([
      { SNSAction: { TopicArn: TOPIC, Encoding: 'UTF-8' } },
    ]);
    await ses.deleteReceiptRule({ RuleSetName, RuleName: 'told' });
  });

  test('have ordered rules', async () => {
    const { ses } = t;
    await ses.createReceiptRule({ ...rule('b', [header]), After: 'a' });
    await ses.createReceiptRule(rule('c', [header]));
    const names = async () => (await ses.describeReceiptRuleSet({ RuleSetName })).Rules!.map(({ Name }) => Name);
    expect(await names()).toEqual(['c', 'a', 'b']);
    await ses.setReceiptRulePosition({ RuleSetName, RuleName: 'c', After: 'a' });
    expect(await names()).toEqual(['a', 'c', 'b']);
    await ses.reorderReceiptRuleSet({ RuleSetName, RuleNames: ['b', 'c', 'a'] });
    expect(await names()).toEqual(['b', 'c', 'a']);
    await ses.updateReceiptRule(rule('b', [header], { Enabled: false, ScanEnabled: true }));
    expect((await ses.describeReceiptRule({ RuleSetName, RuleName: 'b' })).Rule).toMatchObject({
      Enabled: false,
      ScanEnabled: true,
    });
    expect(await failureOf(ses.describeReceiptRule({ RuleSetName, RuleName: 'x' }))).toBe(
      'RuleDoesNotExistException: Rule does not exist: x',
    );
    // https://github.com/floci-io/floci/pull/3176
    for (const [RuleNames, message] of [
      [['a', 'x', 'x'], 'InvalidParameterValue: Multiple positions found for rule: x'],
      [['c', 'x'], 'InvalidParameterValue: Positions for rules not found: b, a'],
      [['a', 'b', 'c', 'x'], 'RuleDoesNotExistException: Rule does not exist: x'],
    ] as const)
      expect(await failureOf(ses.reorderReceiptRuleSet({ RuleSetName, RuleNames: [...RuleNames] }))).toBe(message);
    await ses.setReceiptRulePosition({ RuleSetName, RuleName: 'c', After: 'c' });
    expect(await names()).toEqual(['b', 'c', 'a']);
    expect(await failureOf(ses.createReceiptRule(rule('b', [])))).toBe(
      'AlreadyExistsException: Rule already exists: b',
    );
    for (const RuleName of ['a', 'b', 'c', 'never']) await ses.deleteReceiptRule({ RuleSetName, RuleName });
    expect(await names()).toEqual([]);
  });

  test.each([
    [{ SNSAction: { TopicArn: `${TOPIC}-missing` } }, /^InvalidSnsTopicException: Could not publish to SNS topic: arn/],
    [{ SNSAction: { TopicArn: 'events' } }, /^InvalidSnsTopicException: Invalid SNS topic: events$/],
    [{ S3Action: { BucketName: 'missing' } }, /^InvalidS3ConfigurationException: Could not write to bucket: missing/],
    [
      { LambdaAction: { FunctionArn: `${FUNCTION}-missing` } },
      /^InvalidLambdaFunctionException: Could not invoke Lambda function: arn/,
    ],
    [{ LambdaAction: { FunctionArn: 'f' } }, /^InvalidLambdaFunctionException: Invalid Lambda function: f$/],
    [{ WorkmailAction: { OrganizationArn: 'arn' } }, /^NotImplemented/],
    [{ ConnectAction: { InstanceARN: INSTANCE, IAMRoleARN: ROLE } }, /^NotImplemented/],
    [{ S3Action: { BucketName: 'b', KmsKeyArn: 'arn' } }, /^NotImplemented/],
    [
      { BounceAction: { SmtpReplyCode: '550', Message: 'm', Sender: 'x@evil.example' } },
      /^InvalidParameterValue: Identity is not verified: x@evil.example$/,
    ],
    [{ AddHeaderAction: { HeaderName: 'a b', HeaderValue: 'c' } }, /^InvalidParameterValue: Invalid header name: a b/],
  ])('reject the action %o', async (action, failure) => {
    expect(await failureOf(t.ses.createReceiptRule(rule('bad', [action])))).toMatch(failure);
  });

  test('have no topic and no key if their ARNs are empty', async () => {
    const actions = [
      { BounceAction: { SmtpReplyCode: '550', Message: 'm', Sender: 'info@example.com', TopicArn: '' } },
      { S3Action: { BucketName: 'b', KmsKeyArn: '', TopicArn: '' } },
      { LambdaAction: { FunctionArn: FUNCTION, TopicArn: '' } },
      { StopAction: { Scope: 'RuleSet' as const, TopicArn: '' } },
    ];
    await t.ses.createReceiptRule(rule('empty', actions));
    await t.ses.updateReceiptRule(rule('empty', actions));
    const { Rule } = await t.ses.describeReceiptRule({ RuleSetName, RuleName: 'empty' });
    expect(JSON.stringify(Rule)).not.toContain('""');
    await t.ses.deleteReceiptRule({ RuleSetName, RuleName: 'empty' });
  });
});

describe('incoming mail', () => {
  const mail = { from: 'sender@example.org', recipients: ['info@example.com'], subject: 'Hi', textBody: 'hello' };
  const inbound = (more: object = {}) => t.post<SesInboundResult>('/inbound', { ...mail, ...more });

  test('is stored, published and described', async () => {
    const { ses } = t;
    await ses.createReceiptRule(
      rule(
        'store',
        [
          header,
          { S3Action: { BucketName: 'mails', ObjectKeyPrefix: 'in/', TopicArn: TOPIC } },
          { SNSAction: { TopicArn: TOPIC, Encoding: 'Base64' } },
        ],
        {
          Recipients: ['info@example.com', '.sub.example.com'],
        },
      ),
    );
    expect(t.calls.map(({ operation, input }) => `${operation} ${input.Key ?? ''}`)).toContain(
      'PutObject in/AMAZON_SES_SETUP_NOTIFICATION',
    );
    t.calls.length = 0;
    const result = await inbound();
    expect(result).toMatchObject({
      matchedRules: ['store'],
      actions: [
        { ruleName: 'store', type: 'AddHeader', status: 'done' },
        { ruleName: 'store', type: 'S3', status: 'done' },
        { ruleName: 'store', type: 'SNS', status: 'done' },
      ],
    });
    const [stored, told, published] = t.calls;
    expect(stored).toMatchObject({
      operation: 'PutObject',
      input: { Bucket: 'mails', Key: `in/${result.messageId}` },
      principal: 'ses.amazonaws.com',
    });
    expect(stored!.input.Body).toMatch(/^X-A: b\r\nReturn-Path: <sender@example.org>\r\n/);
    expect(JSON.parse(told!.input.Message as string)).toMatchObject({
      notificationType: 'Received',
      mail: { source: mail.from, destination: mail.recipients, commonHeaders: { subject: 'Hi' } },
      receipt: {
        recipients: mail.recipients,
        spamVerdict: { status: 'PASS' },
        action: {
          type: 'S3',
          bucketName: 'mails',
          objectKeyPrefix: 'in/',
          objectKey: `in/${result.messageId}`,
          topicArn: TOPIC,
        },
      },
    });
    const message = JSON.parse(published!.input.Message as string) as { content: string };
    expect(Buffer.from(message.content, 'base64').toString()).toContain('hello');
    expect((await inbound({ recipients: ['other@example.com'] })).matchedRules).toEqual([]);
    expect((await inbound({ recipients: ['info+label@example.com'] })).matchedRules).toEqual(['store']);
    expect((await inbound({ recipients: ['a@b.sub.example.com'] })).matchedRules).toEqual(['store']);
  });

  test('is passed to functions with effective responses', async () => {
    const { ses } = t;
    await ses.deleteReceiptRule({ RuleSetName, RuleName: 'store' });
    await ses.createReceiptRule(rule('after', [header]));
    await ses.createReceiptRule(
      rule('ask', [{ LambdaAction: { FunctionArn: FUNCTION, InvocationType: 'RequestResponse' } }, header]),
    );
    t.calls.length = 0;
    t.answer.disposition = 'CONTINUE';
    expect((await inbound({ verdicts: { spam: 'FAIL' } })).actions).toHaveLength(3);
    const payload = JSON.parse(Buffer.from(t.calls[0]!.input.Payload as Uint8Array).toString());
    expect(payload.Records[0]).toMatchObject({
      eventSource: 'aws:ses',
      eventVersion: '1.0',
      ses: { mail: { source: mail.from }, receipt: { spamVerdict: { status: 'FAIL' }, action: { type: 'Lambda' } } },
    });
    t.answer.disposition = 'STOP_RULE';
    expect((await inbound()).matchedRules).toEqual(['ask', 'after']);
    t.answer.disposition = 'STOP_RULE_SET';
    expect((await inbound()).matchedRules).toEqual(['ask']);
    await ses.deleteReceiptRule({ RuleSetName, RuleName: 'ask' });
    await ses.createReceiptRule(rule('stop', [{ StopAction: { Scope: 'RuleSet', TopicArn: TOPIC } }]));
    expect((await inbound()).matchedRules).toEqual(['stop']);
    await ses.deleteReceiptRule({ RuleSetName, RuleName: 'stop' });
    await ses.deleteReceiptRule({ RuleSetName, RuleName: 'after' });
  });

  test('can be bounced', async () => {
    const { ses } = t;
    const { messageId: OriginalMessageId } = await inbound();
    const BounceSender = 'mailer@example.com';
    const bounce = {
      OriginalMessageId,
      BounceSender,
      Explanation: 'nobody there',
      BouncedRecipientInfoList: [{ Recipient: 'info@example.com', BounceType: 'DoesNotExist' as const }],
    };
    const { MessageId } = await ses.sendBounce(bounce);
    expect((await t.get<{ bounces: SesBounce[] }>('/bounces')).bounces).toMatchObject([
      {
        messageId: MessageId,
        originalMessageId: OriginalMessageId,
        bounceSender: BounceSender,
        explanation: 'nobody there',
        recipients: [
          { recipient: 'info@example.com', bounceType: 'DoesNotExist', dsn: { action: 'failed', status: '5.1.1' } },
        ],
      },
    ]);
    const { emails } = await t.get<{ emails: SesEmail[] }>('/emails');
    expect(emails.at(-1)).toMatchObject({
      messageId: MessageId,
      operation: 'SendBounce',
      destination: { toAddresses: [mail.from] },
    });
    expect(await failureOf(ses.sendBounce({ ...bounce, OriginalMessageId: 'no' }))).toMatch(/^MessageRejected/);
    expect(await failureOf(ses.sendBounce({ ...bounce, BounceSender: 'x@evil.example' }))).toMatch(/^MessageRejected/);
    await ses.createReceiptRule(
      rule('bounce', [
        { BounceAction: { SmtpReplyCode: '550', StatusCode: '5.1.1', Message: 'gone', Sender: BounceSender } },
      ]),
    );
    expect((await inbound()).actions).toEqual([{ ruleName: 'bounce', type: 'Bounce', status: 'done' }]);
    await ses.deleteReceiptRule({ RuleSetName, RuleName: 'bounce' });
  });

  test('is filtered by source address', async () => {
    const { ses } = t;
    const filter = (Name: string, Policy: 'Allow' | 'Block', Cidr: string) => ({
      Filter: { Name, IpFilter: { Policy, Cidr } },
    });
    await ses.createReceiptFilter(filter('block', 'Block', '192.0.2.0/24'));
    await ses.createReceiptFilter(filter('allow', 'Allow', '192.0.2.7'));
    expect(await failureOf(ses.createReceiptFilter(filter('allow', 'Allow', '1.2.3.4')))).toBe(
      'AlreadyExistsException: Filter already exists: allow',
    );
    expect(await failureOf(ses.createReceiptFilter(filter('x', 'Allow', '1.2.3.4/99')))).toBe(
      'InvalidParameterValue: Invalid CIDR block: 1.2.3.4/99',
    );
    for (const [name, message] of [
      ['', 'filterName must not be empty'],
      ['bad name', 'Not a valid filterName: bad name'],
      ['-a', 'Not a valid filterName: -a'],
    ] as const)
      expect(await failureOf(ses.createReceiptFilter(filter(name, 'Allow', '1.2.3.4')))).toBe(
        `InvalidParameterValue: ${message}`,
      );
    expect((await ses.listReceiptFilters({})).Filters!.map(({ Name }) => Name)).toEqual(['allow', 'block']);
    await expect(inbound({ sourceIp: '192.0.2.1' })).rejects.toMatchObject({ status: 403 });
    expect(await inbound({ sourceIp: '192.0.2.7' })).toMatchObject({ matchedRules: [] });
    await ses.deleteReceiptFilter({ FilterName: 'block' });
    expect(await inbound({ sourceIp: '192.0.2.1' })).toMatchObject({ matchedRules: [] });
  });

  test('must be a valid message', async () => {
    for (const body of [
      { from: 'x' },
      { recipients: [] },
      { raw: 'a', subject: 'b' },
      { verdicts: { spam: 'NO' } },
      { other: 1 },
    ])
      await expect(inbound(body)).rejects.toMatchObject({ status: 400 });
  });
});
