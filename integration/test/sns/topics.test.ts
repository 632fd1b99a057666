import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SnsTest, startSns } from './support.ts';

let test: SnsTest;
beforeAll(async () => {
  test = await startSns();
});
afterAll(() => test[Symbol.asyncDispose]());

const arnOf = (name: string) => `arn:aws:sns:${REGION}:${ACCOUNT}:${name}`;
const invalid = (reason: string) => ({
  code: 'InvalidParameter',
  message: `Invalid parameter: ${reason}`,
  status: 400,
});
const NOT_FOUND = { code: 'NotFound', message: 'Topic does not exist', status: 404 };

describe('CreateTopic', () => {
  it('creates a topic with its defaults', async () => {
    expect(await test.topic('plain')).toBe(arnOf('plain'));
    const { Attributes } = await test.sns.getTopicAttributes({ TopicArn: arnOf('plain') });
    const { Policy, EffectiveDeliveryPolicy, ...others } = Attributes!;
    expect(others).toEqual({
      DisplayName: '',
      Owner: ACCOUNT,
      SubscriptionsConfirmed: '0',
      SubscriptionsDeleted: '0',
      SubscriptionsPending: '0',
      TopicArn: arnOf('plain'),
    });
    expect(JSON.parse(EffectiveDeliveryPolicy!)).toEqual({
      http: {
        defaultHealthyRetryPolicy: {
          minDelayTarget: 20,
          maxDelayTarget: 20,
          numRetries: 3,
          numMaxDelayRetries: 0,
          numNoDelayRetries: 0,
          numMinDelayRetries: 0,
          backoffFunction: 'linear',
        },
        disableSubscriptionOverrides: false,
        defaultRequestPolicy: { headerContentType: 'text/plain; charset=UTF-8' },
      },
    });
    expect(JSON.parse(Policy!)).toMatchObject({
      Version: '2008-10-17',
      Id: '__default_policy_ID',
      Statement: [
        {
          Sid: '__default_statement_ID',
          Resource: arnOf('plain'),
          Condition: { StringEquals: { 'AWS:SourceOwner': ACCOUNT } },
        },
      ],
    });
  });

  it('creates a FIFO topic', async () => {
    await test.topic('t.fifo', {
      FifoTopic: 'true',
      SignatureVersion: '2',
      DisplayName: 'D',
      FifoThroughputScope: 'MessageGroup',
    });
    const { Attributes } = await test.sns.getTopicAttributes({ TopicArn: arnOf('t.fifo') });
    expect(Attributes).toMatchObject({
      FifoTopic: 'true',
      ContentBasedDeduplication: 'false',
      SignatureVersion: '2',
      DisplayName: 'D',
      FifoThroughputScope: 'MessageGroup',
    });
  });

  it('returns an existing topic with the same attributes and tags', async () => {
    const Tags = [
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
    ];
    await test.sns.createTopic({ Name: 'again', Tags, Attributes: { DisplayName: 'x' } });
    for (const same of [{}, { Tags: [] }, { Tags: [Tags[0]!] }, { Attributes: { DisplayName: 'x' } }])
      expect(await test.sns.createTopic({ Name: 'again', ...same })).toMatchObject({ TopicArn: arnOf('again') });
    expect(await failureOf(test.sns.createTopic({ Name: 'again', Tags: [{ Key: 'c', Value: '3' }] }))).toEqual(
      invalid('Tags Reason: Topic already exists with different tags'),
    );
    const different: Record<string, string>[] = [{ DisplayName: 'y' }, { DisplayName: 'x', KmsMasterKeyId: 'k' }];
    for (const Attributes of different)
      expect(await failureOf(test.sns.createTopic({ Name: 'again', Attributes }))).toEqual(
        invalid('Attributes Reason: Topic already exists with different attributes'),
      );
  });

  it.each([
    ['', undefined],
    ['x'.repeat(257), undefined],
    ['a.fifo', undefined],
    ['a', { FifoTopic: 'true' }],
    ['a b', undefined],
    ['a!', undefined],
  ])('rejects the name %s', async (Name, Attributes) => {
    expect(await failureOf(test.sns.createTopic({ Name, Attributes }))).toEqual(invalid('Topic Name'));
  });

  it.each([
    [{ Unknown: '1' }, 'Attributes Reason: Unknown attribute Unknown'],
    [{ SignatureVersion: '3' }, 'Attributes Reason: SignatureVersion: Invalid value [3]. Must be 1 or 2.'],
    [{ Policy: 'x' }, 'Attributes Reason: Policy Error: null'],
    [
      { Policy: JSON.stringify({ Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:Get', Resource: '*' }] }) },
      'Attributes Reason: Policy statement action out of service scope!',
    ],
    [
      { ContentBasedDeduplication: 'true' },
      'Attributes Reason: ContentBasedDeduplication is only supported for FIFO topics',
    ],
    [{ HTTPSuccessFeedbackSampleRate: '101' }, 'Attributes Reason: HTTPSuccessFeedbackSampleRate: Invalid value [101]'],
  ])('rejects %j', async (Attributes, reason) => {
    expect(await failureOf(test.sns.createTopic({ Name: 'bad', Attributes: { ...Attributes } }))).toEqual(
      invalid(reason),
    );
  });

  it('rejects a duplicate key', async () => {
    const Tags = [
      { Key: 'a', Value: '1' },
      { Key: 'a', Value: '2' },
    ];
    expect(await failureOf(test.sns.createTopic({ Name: 'tags', Tags }))).toEqual(
      invalid('Duplicated keys are not allowed.'),
    );
  });
});

describe('the ARN of a topic', () => {
  it.each([
    ['topic', invalid('TopicArn Reason: An ARN must have at least 6 elements, not 1')],
    ['arn:aws:sns:us-east-1:1', invalid('TopicArn Reason: An ARN must have at least 6 elements, not 5')],
    ['', invalid('TopicArn Reason: An ARN must have at least 6 elements, not 1')],
    [`arn:aws:sns:eu-west-1:${ACCOUNT}:t`, invalid('TopicArn')],
    [arnOf('missing'), NOT_FOUND],
  ])('%s', async (TopicArn, failure) => {
    expect(await failureOf(test.sns.getTopicAttributes({ TopicArn }))).toEqual(failure);
    expect(await failureOf(test.sns.setTopicAttributes({ TopicArn, AttributeName: 'DisplayName' }))).toEqual(failure);
    expect(await failureOf(test.sns.listSubscriptionsByTopic({ TopicArn }))).toEqual(failure);
  });

  it('is required', async () => {
    expect(await failureOf(test.sns.getTopicAttributes({ TopicArn: undefined }))).toEqual({
      code: 'ValidationError',
      message:
        "1 validation error detected: Value null at 'topicArn' failed to satisfy constraint: Member must not be null",
      status: 400,
    });
  });
});

describe('DeleteTopic', () => {
  it('deletes a topic with its subscriptions, and accepts a deleted one', async () => {
    const TopicArn = await test.topic('gone');
    const SubscriptionArn = await test.subscribe(TopicArn, 'sqs', `arn:aws:sqs:${REGION}:${ACCOUNT}:nowhere`);
    await test.sns.deleteTopic({ TopicArn });
    await test.sns.deleteTopic({ TopicArn });
    expect(await failureOf(test.sns.getTopicAttributes({ TopicArn }))).toEqual(NOT_FOUND);
    expect((await failureOf(test.sns.getSubscriptionAttributes({ SubscriptionArn }))).code).toBe('NotFound');
    await test.topic('gone');
    expect((await test.sns.listSubscriptionsByTopic({ TopicArn })).Subscriptions).toEqual([]);
    expect((await test.sns.listTagsForResource({ ResourceArn: TopicArn })).Tags).toEqual([]);
  });
});

describe('SetTopicAttributes', () => {
  const set = (TopicArn: string, AttributeName: string, AttributeValue?: string) =>
    test.sns.setTopicAttributes({ TopicArn, AttributeName, AttributeValue });

  it('sets and removes attributes', async () => {
    const TopicArn = await test.topic('set');
    await set(TopicArn, 'LambdaSuccessFeedbackSampleRate', '50');
    await set(TopicArn, 'TracingConfig', 'PassThrough');
    await set(TopicArn, 'KmsMasterKeyId', 'alias/aws/sns');
    expect((await test.sns.getTopicAttributes({ TopicArn })).Attributes).toMatchObject({
      LambdaSuccessFeedbackSampleRate: '50',
      TracingConfig: 'PassThrough',
      KmsMasterKeyId: 'alias/aws/sns',
    });
    await set(TopicArn, 'LambdaSuccessFeedbackSampleRate', '');
    await set(TopicArn, 'LambdaSuccessFeedbackRoleArn', '');
    await set(TopicArn, 'KmsMasterKeyId', '');
    const { Attributes } = await test.sns.getTopicAttributes({ TopicArn });
    expect(Object.keys(Attributes!)).not.toContain('LambdaSuccessFeedbackSampleRate');
    expect(Object.keys(Attributes!)).not.toContain('KmsMasterKeyId');
  });

  it.each([
    ['TracingConfig', 'Active'],
    ['SQSFailureFeedbackRoleArn', `arn:aws:iam::${ACCOUNT}:role/feedback`],
    ['HTTPSuccessFeedbackRoleArn', `arn:aws:iam::${ACCOUNT}:role/feedback`],
  ])('sets %s, as CreateTopic does', async (name, value) => {
    for (const TopicArn of [await test.topic('reporting'), await test.topic(`new-${name}`, { [name]: value })]) {
      await set(TopicArn, name, value);
      expect((await test.sns.getTopicAttributes({ TopicArn })).Attributes).toMatchObject({ [name]: value });
      expect(await failureOf(set(TopicArn, name, 'x'))).toMatchObject({ code: 'InvalidParameter' });
    }
  });

  it('rejects unknown and immutable attributes', async () => {
    const TopicArn = await test.topic('fixed');
    for (const name of ['FifoTopic', 'Nonsense'])
      expect(await failureOf(set(TopicArn, name, 'false'))).toEqual(invalid('AttributeName'));
  });

  it('normalizes a delivery policy', async () => {
    const TopicArn = await test.topic('delivery', {
      DeliveryPolicy: JSON.stringify({ http: { defaultRequestPolicy: { headerContentType: 'application/json' } } }),
    });
    const read = async () => {
      const { Attributes } = await test.sns.getTopicAttributes({ TopicArn });
      const own = Attributes!.DeliveryPolicy;
      return { own: own && JSON.parse(own), effective: JSON.parse(Attributes!.EffectiveDeliveryPolicy!).http };
    };
    expect(await read()).toMatchObject({
      own: {
        http: { disableSubscriptionOverrides: false, defaultRequestPolicy: { headerContentType: 'application/json' } },
      },
      effective: { defaultRequestPolicy: { headerContentType: 'application/json' } },
    });
    const retries = { minDelayTarget: 5, maxDelayTarget: 6, numRetries: 1 };
    await set(TopicArn, 'DeliveryPolicy', JSON.stringify({ http: { defaultHealthyRetryPolicy: retries } }));
    expect(await read()).toMatchObject({
      own: { http: { defaultHealthyRetryPolicy: retries, disableSubscriptionOverrides: false } },
      effective: {
        defaultHealthyRetryPolicy: { ...retries, backoffFunction: 'linear', numNoDelayRetries: 0 },
        defaultRequestPolicy: { headerContentType: 'text/plain; charset=UTF-8' },
      },
    });
    await set(TopicArn, 'DeliveryPolicy', JSON.stringify({ http: { defaultHealthyRetryPolicy: null } }));
    expect((await read()).own).toEqual({ http: { disableSubscriptionOverrides: false } });
    await set(TopicArn, 'DeliveryPolicy', '');
    expect((await read()).own).toBeUndefined();
  });

  it.each([
    '{',
    '[]',
    '{"other":{}}',
    '{"http":{"defaultHealthyRetryPolicy":{"numRetries":101}}}',
    '{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":0}}}',
    '{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":30}}}',
    '{"http":{"defaultHealthyRetryPolicy":{"numRetries":1,"numNoDelayRetries":2}}}',
    '{"http":{"defaultHealthyRetryPolicy":{"backoffFunction":"random"}}}',
    '{"http":{"defaultThrottlePolicy":{"maxReceivesPerSecond":0}}}',
    '{"http":{"defaultRequestPolicy":{"headerContentType":"image/png"}}}',
    '{"http":{"unknown":1}}',
  ])('rejects the delivery policy %s', async (policy) => {
    const TopicArn = await test.topic('refusing');
    const failure = await failureOf(set(TopicArn, 'DeliveryPolicy', policy));
    expect(failure).toMatchObject({
      code: 'InvalidParameter',
      message: expect.stringMatching(/^Invalid parameter: DeliveryPolicy: /),
    });
  });
});

describe('ListTopics', () => {
  it('returns pages of a hundred', async () => {
    await using other = await startSns();
    for (let n = 0; n < 120; n++) await other.topic(`t-${String(n).padStart(3, '0')}`);
    const first = await other.sns.listTopics({});
    expect(first.Topics).toHaveLength(100);
    const second = await other.sns.listTopics({ NextToken: first.NextToken });
    expect(second.Topics).toHaveLength(20);
    expect(second.NextToken).toBeUndefined();
    expect(second.Topics![0]).toEqual({ TopicArn: arnOf('t-100') });
    expect(await failureOf(other.sns.listTopics({ NextToken: 'x' }))).toEqual(invalid('NextToken'));
    const elsewhere = other.sns.listSubscriptions({ NextToken: first.NextToken });
    expect(await failureOf(elsewhere)).toEqual(invalid('NextToken'));
  });
});

describe('permissions', () => {
  const policyOf = async (TopicArn: string) =>
    JSON.parse((await test.sns.getTopicAttributes({ TopicArn })).Attributes!.Policy!);

  it('are added and removed as statements of the policy', async () => {
    const TopicArn = await test.topic('shared');
    await test.sns.addPermission({ TopicArn, Label: 'one', AWSAccountId: ['123456789012'], ActionName: ['Publish'] });
    await test.sns.addPermission({
      TopicArn,
      Label: 'two',
      AWSAccountId: ['123456789012', '210987654321'],
      ActionName: ['Publish', 'Subscribe'],
    });
    expect((await policyOf(TopicArn)).Statement.slice(1)).toEqual([
      {
        Sid: 'one',
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::123456789012:root' },
        Action: 'SNS:Publish',
        Resource: TopicArn,
      },
      {
        Sid: 'two',
        Effect: 'Allow',
        Principal: { AWS: ['arn:aws:iam::123456789012:root', 'arn:aws:iam::210987654321:root'] },
        Action: ['SNS:Publish', 'SNS:Subscribe'],
        Resource: TopicArn,
      },
    ]);
    await test.sns.removePermission({ TopicArn, Label: 'one' });
    expect((await policyOf(TopicArn)).Statement.map(({ Sid }: { Sid: string }) => Sid)).toEqual([
      '__default_statement_ID',
      'two',
    ]);
    await test.sns.setTopicAttributes({ TopicArn, AttributeName: 'Policy', AttributeValue: '' });
    expect((await policyOf(TopicArn)).Statement).toHaveLength(1);
  });

  it('reject invalid grants', async () => {
    const TopicArn = await test.topic('unshared');
    const add = (Label: string, ActionName: string[], AWSAccountId = ['123456789012']) =>
      test.sns.addPermission({ TopicArn, Label, AWSAccountId, ActionName });
    await add('l', ['Publish']);
    expect(await failureOf(add('l', ['Publish']))).toEqual(invalid('Statement already exists'));
    expect(await failureOf(add('m', ['Invent']))).toEqual(invalid('Policy statement action out of service scope!'));
    const missing = { TopicArn: arnOf('missing'), Label: 'l' };
    expect(await failureOf(test.sns.removePermission(missing))).toEqual(NOT_FOUND);
  });
});

describe('tags', () => {
  it('are added, updated and removed', async () => {
    const ResourceArn = await test.topic('tagged');
    const list = async () => (await test.sns.listTagsForResource({ ResourceArn })).Tags;
    await test.sns.tagResource({
      ResourceArn,
      Tags: [
        { Key: 'k1', Value: 'v1' },
        { Key: 'k2', Value: 'v2' },
      ],
    });
    await test.sns.tagResource({ ResourceArn, Tags: [{ Key: 'k2', Value: 'v2b' }] });
    expect(await list()).toEqual([
      { Key: 'k1', Value: 'v1' },
      { Key: 'k2', Value: 'v2b' },
    ]);
    await test.sns.untagResource({ ResourceArn, TagKeys: ['k1', 'k9'] });
    expect(await list()).toEqual([{ Key: 'k2', Value: 'v2b' }]);
    const Tags = Array.from({ length: 50 }, (_, n) => ({ Key: `n${n}`, Value: '' }));
    expect((await failureOf(test.sns.tagResource({ ResourceArn, Tags }))).code).toBe('TagLimitExceeded');
    expect(await failureOf(test.sns.listTagsForResource({ ResourceArn: arnOf('missing') }))).toEqual({
      code: 'ResourceNotFound',
      message: 'Resource does not exist',
      status: 404,
    });
  });
});

describe('data protection policies', () => {
  const policy = (DataDirection: string, Operation: unknown) =>
    JSON.stringify({
      Name: 'p',
      Description: 'd',
      Version: '2021-06-01',
      Statement: [
        {
          Sid: 's',
          DataDirection,
          Principal: ['*'],
          DataIdentifier: ['arn:aws:dataprotection::aws:data-identifier/EmailAddress'],
          Operation,
        },
      ],
    });

  it('are stored', async () => {
    const ResourceArn = await test.topic('protected');
    const read = async () => (await test.sns.getDataProtectionPolicy({ ResourceArn })).DataProtectionPolicy;
    expect(await read()).toBeUndefined();
    const DataProtectionPolicy = policy('Inbound', { Deny: {} });
    await test.sns.putDataProtectionPolicy({ ResourceArn, DataProtectionPolicy });
    expect(await read()).toBe(DataProtectionPolicy);
    for (const bad of [
      '{',
      '[]',
      policy('Sideways', { Deny: {} }),
      policy('Inbound', {}),
      policy('Outbound', { Audit: {} }),
    ])
      expect((await failureOf(test.sns.putDataProtectionPolicy({ ResourceArn, DataProtectionPolicy: bad }))).code).toBe(
        'InvalidParameter',
      );
    await test.sns.putDataProtectionPolicy({ ResourceArn, DataProtectionPolicy: '' });
    expect(await read()).toBeUndefined();
  });

  it('detect data that they define themselves', async () => {
    const TopicArn = await test.topic('custom');
    await test.subscribe(TopicArn, 'sqs', await test.queue('custom'), { RawMessageDelivery: 'true' });
    const put = (CustomDataIdentifier: unknown, DataIdentifier = ['EmployeeId']) => {
      const Operation = { Deidentify: { MaskConfig: { MaskWithCharacter: '#' } } };
      const { Statement, ...rest } = JSON.parse(policy('Inbound', Operation));
      return test.sns.putDataProtectionPolicy({
        ResourceArn: TopicArn,
        DataProtectionPolicy: JSON.stringify({
          ...rest,
          Configuration: { CustomDataIdentifier },
          Statement: [{ ...Statement[0], DataIdentifier }],
        }),
      });
    };
    const EMPLOYEE = { Name: 'EmployeeId', Regex: 'EID-\\d{9}-US' };
    await put([EMPLOYEE], ['EmployeeId', 'EmailAddress']);
    await test.sns.publish({ TopicArn, Message: 'EID-123456789-US is jane@example.com' });
    expect((await test.received('custom'))[0]!.body).toBe('################ is ################');
    for (const bad of [
      [{ Name: 'EmployeeId' }],
      [{ ...EMPLOYEE, Regex: '(a+)+b' }],
      [{ ...EMPLOYEE, Regex: '[' }],
      [{ ...EMPLOYEE, Regex: 'x'.repeat(201) }],
      Array.from({ length: 11 }, () => EMPLOYEE),
      [{ ...EMPLOYEE, Name: 'EmailAddress' }],
      [],
    ])
      expect((await failureOf(put(bad))).code).toBe('InvalidParameter');
  });

  it('are not implemented for reports that emu lacks, and rejected for unknown data types', async () => {
    const ResourceArn = await test.topic('unprotected');
    const put = (DataProtectionPolicy: string) =>
      test.sns.putDataProtectionPolicy({ ResourceArn, DataProtectionPolicy });
    const audit = policy('Inbound', { Audit: { SampleRate: '99' } });
    expect(await failureOf(put(audit))).toMatchObject({ code: 'NotImplemented', status: 501 });
    const deny = policy('Inbound', { Deny: {} });
    const unknown = await failureOf(put(deny.replace('EmailAddress', 'ShoeSize')));
    expect(unknown.message).toMatch(/Unknown data identifier .*ShoeSize/);
    await put(deny.replace('EmailAddress', 'Name'));
    const publish = test.sns.publish({ TopicArn: ResourceArn, Message: 'for James Smith' });
    expect((await failureOf(publish)).code).toBe('AuthorizationError');
  });

  it('deny and mask sensitive data in both directions', async () => {
    const TopicArn = await test.topic('guarded');
    await test.subscribe(TopicArn, 'sqs', await test.queue('guarded'), { RawMessageDelivery: 'true' });
    const put = (DataProtectionPolicy: string) =>
      test.sns.putDataProtectionPolicy({ ResourceArn: TopicArn, DataProtectionPolicy });
    const Message = 'mail to jane@example.com please';
    await put(policy('Inbound', { Deny: {} }));
    expect((await failureOf(test.sns.publish({ TopicArn, Message }))).code).toBe('AuthorizationError');
    const batch = await test.sns.publishBatch({
      TopicArn,
      PublishBatchRequestEntries: [
        { Id: 'good', Message: 'nothing' },
        { Id: 'bad', Message },
      ],
    });
    expect(batch.Successful).toMatchObject([{ Id: 'good' }]);
    expect(batch.Failed).toMatchObject([{ Id: 'bad', Code: 'AuthorizationError', SenderFault: true }]);
    await put(policy('Inbound', { Deidentify: { MaskConfig: { MaskWithCharacter: '*' } } }));
    await test.sns.publish({ TopicArn, Message });
    await put(policy('Outbound', { Deidentify: { RedactConfig: {} } }));
    await test.sns.publish({ TopicArn, Message });
    await put(policy('Outbound', { Deny: {} }));
    await test.sns.publish({ TopicArn, Message });
    expect((await test.received('guarded')).map(({ body }) => body)).toEqual([
      'nothing',
      'mail to **************** please',
      'mail to  please',
    ]);
    expect((await test.messages()).at(-1)!.deliveries).toMatchObject([{ status: 'failed' }]);
  });
});
