import { describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, type SqsTest, startSqs } from './support.ts';

const policyOf = async (t: SqsTest, QueueUrl: string) => {
  const { Attributes } = await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['Policy'] });
  return Attributes?.Policy === undefined ? undefined : JSON.parse(Attributes.Policy);
};

const statement = (t: SqsTest, Sid: string, principals: string | string[], Action: string | string[]) => ({
  Sid,
  Effect: 'Allow',
  Principal: { AWS: principals },
  Action,
  Resource: t.arnOf('q'),
});

describe('AddPermission and RemovePermission', () => {
  test('add and remove policy statements', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const own = `arn:aws:iam::${ACCOUNT}:root`;
    await t.sqs.addPermission({
      QueueUrl,
      Label: 'first',
      AWSAccountIds: [ACCOUNT, '668614515564'],
      Actions: ['ReceiveMessage'],
    });
    const document = { Version: '2008-10-17', Id: `${t.arnOf('q')}/SQSDefaultPolicy` };
    const first = statement(t, 'first', [own, 'arn:aws:iam::668614515564:root'], 'SQS:ReceiveMessage');
    expect(await policyOf(t, QueueUrl)).toEqual({ ...document, Statement: [first] });
    await t.sqs.addPermission({
      QueueUrl,
      Label: 'second',
      AWSAccountIds: [ACCOUNT],
      Actions: ['SendMessage', 'DeleteMessage'],
    });
    const second = statement(t, 'second', own, ['SQS:SendMessage', 'SQS:DeleteMessage']);
    expect((await policyOf(t, QueueUrl)).Statement).toEqual([first, second]);
    await t.sqs.removePermission({ QueueUrl, Label: 'first' });
    expect((await policyOf(t, QueueUrl)).Statement).toEqual([second]);
    await t.sqs.removePermission({ QueueUrl, Label: 'second' });
    expect(await policyOf(t, QueueUrl)).toBeUndefined();
    expect(await failureOf(t.sqs.removePermission({ QueueUrl, Label: 'second' }))).toEqual({
      code: 'InvalidParameterValue',
      message: "Value second for parameter Label is invalid. Reason: can't find label.",
      status: 400,
    });
  });

  test('reject what AWS rejects', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const grant = { QueueUrl, Label: 'label', AWSAccountIds: [ACCOUNT], Actions: ['SendMessage'] };
    const add = async (change: object) => {
      const { code, message } = await failureOf(t.sqs.addPermission({ ...grant, ...change }));
      return [code, message];
    };
    await t.sqs.addPermission(grant);
    expect(await add({ AWSAccountIds: ['668614515564'] })).toEqual([
      'InvalidParameterValue',
      'Value label for parameter Label is invalid. Reason: Already exists.',
    ]);
    expect(await add({ Label: 'x', Actions: ['CreateQueue'] })).toEqual([
      'InvalidParameterValue',
      'Value SQS:CreateQueue for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke this action.',
    ]);
    expect((await add({ Label: 'x', Actions: ['SendMessageBatch'] }))[1]).toContain(
      'Reason: Please refer to the appropriate WSDL for a list of valid actions.',
    );
    expect(await add({ Label: 'x', AWSAccountIds: ['nobody'] })).toEqual([
      'InvalidParameterValue',
      'Value [nobody] for parameter PrincipalId is invalid. Reason: Unable to verify.',
    ]);
    const eight = ['SendMessage', 'ReceiveMessage', 'DeleteMessage', 'GetQueueUrl', '*', '*', '*', '*'];
    expect(await add({ Label: 'x', Actions: eight })).toEqual([
      'OverLimit',
      '8 Actions were found, maximum allowed is 7.',
    ]);
    expect(await add({ Actions: [] })).toEqual(['MissingParameter', 'The request must contain the parameter Actions.']);
    expect(await add({ Label: 'x', AWSAccountIds: [] })).toEqual([
      'InvalidParameterValue',
      'Value [] for parameter PrincipalId is invalid. Reason: Unable to verify.',
    ]);
    expect(await add({ AWSAccountIds: undefined })).toEqual([
      'MissingParameter',
      'The request must contain the parameter PrincipalId.',
    ]);
    for (let i = 1; i < 20; i++) await t.sqs.addPermission({ ...grant, Label: `label${i}` });
    expect(await add({ Label: 'one-more' })).toEqual(['OverLimit', '21 Statements were found, maximum allowed is 20.']);
  });
});

describe('tags', () => {
  test('are set at creation, added, overwritten and removed', async () => {
    await using t = await startSqs();
    const { QueueUrl } = await t.sqs.createQueue({ QueueName: 'q', tags: { a: '1' } });
    const tags = async () => (await t.sqs.listQueueTags({ QueueUrl })).Tags;
    expect(await tags()).toEqual({ a: '1' });
    await t.sqs.tagQueue({ QueueUrl, Tags: { a: '2', A: '3', empty: '' } });
    expect(await tags()).toEqual({ a: '2', A: '3', empty: '' });
    await t.sqs.untagQueue({ QueueUrl, TagKeys: ['a', 'empty', 'none'] });
    expect(await tags()).toEqual({ A: '3' });
    await t.sqs.untagQueue({ QueueUrl, TagKeys: ['A'] });
    expect(await tags()).toBeUndefined();
  });

  test('have limits', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    const tag = (Tags: Record<string, string>) => failureOf(t.sqs.tagQueue({ QueueUrl, Tags }));
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, '']));
    await t.sqs.tagQueue({ QueueUrl, Tags: many(50) });
    expect(await tag({ another: '' })).toEqual({
      code: 'InvalidParameterValue',
      message: 'Too many tags added for queue q.',
      status: 400,
    });
    await t.sqs.tagQueue({ QueueUrl, Tags: { key0: 'changed' } });
    const invalid: Record<string, string>[] = [
      { '': 'x' },
      { ['k'.repeat(129)]: 'x' },
      { k: 'v'.repeat(257) },
      { 'aws:k': 'x' },
      { 'k*': 'x' },
    ];
    for (const bad of invalid) expect((await tag(bad)).code).toBe('InvalidParameterValue');
    expect((await failureOf(t.sqs.tagQueue({ QueueUrl } as never))).message).toBe(
      'The request must contain the parameter Tags.',
    );
    expect((await failureOf(t.sqs.untagQueue({ QueueUrl } as never))).message).toBe(
      'The request must contain the parameter TagKeys.',
    );
  });

  test('rejects invalid tags', async () => {
    await using t = await startSqs();
    const QueueUrl = await t.queue('q');
    expect(await failureOf(t.sqs.tagQueue({ QueueUrl, Tags: {} }))).toEqual({
      code: 'MissingParameter',
      message: 'The request must contain the parameter Tags.',
      status: 400,
    });
    for (const TagKeys of [[], ['']])
      expect(await failureOf(t.sqs.untagQueue({ QueueUrl, TagKeys }))).toEqual({
        code: 'InvalidParameterValue',
        message: 'Tag keys must be between 1 and 128 characters in length.',
        status: 400,
      });
  });
});
