import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SnsTest, startSns } from './support.ts';

let test: SnsTest;
beforeAll(async () => {
  test = await startSns();
});
afterAll(() => test[Symbol.asyncDispose]());

const ARN = `arn:aws:sns:${REGION}:${ACCOUNT}`;
const CREDENTIALS = { PlatformPrincipal: 'id', PlatformCredential: 'secret' };
const invalid = (reason: string) => ({
  code: 'InvalidParameter',
  message: `Invalid parameter: ${reason}`,
  status: 400,
});
const missing = (kind: string) => ({ code: 'NotFound', message: `${kind} does not exist`, status: 404 });
const application = async (Name: string, Attributes: Record<string, string> = CREDENTIALS, Platform = 'ADM') =>
  (await test.sns.createPlatformApplication({ Name, Platform, Attributes })).PlatformApplicationArn!;

describe('platform applications', () => {
  it.each(['EventEndpointCreated', 'EventEndpointDeleted', 'EventEndpointUpdated', 'EventDeliveryFailure'])(
    'do not implement %s',
    async (name) => {
      const PlatformApplicationArn = await application('events');
      const set = (value: string) =>
        test.sns.setPlatformApplicationAttributes({ PlatformApplicationArn, Attributes: { [name]: value } });
      await set('');
      expect(await failureOf(set(`${ARN}:events`))).toMatchObject({ code: 'NotImplemented', status: 501 });
      await test.sns.deletePlatformApplication({ PlatformApplicationArn });
    },
  );

  it('are created, updated, listed and deleted', async () => {
    const PlatformApplicationArn = await application('app');
    expect(PlatformApplicationArn).toBe(`${ARN}:app/ADM/app`);
    expect(await application('app')).toBe(PlatformApplicationArn);
    const read = async () => (await test.sns.getPlatformApplicationAttributes({ PlatformApplicationArn })).Attributes;
    expect(await read()).toEqual({ Enabled: 'true' });
    await test.sns.setPlatformApplicationAttributes({
      PlatformApplicationArn,
      Attributes: { SuccessFeedbackSampleRate: '50' },
    });
    expect(await read()).toEqual({ Enabled: 'true', SuccessFeedbackSampleRate: '50' });
    expect((await test.sns.listPlatformApplications({})).PlatformApplications).toEqual([
      { PlatformApplicationArn, Attributes: { Enabled: 'true', SuccessFeedbackSampleRate: '50' } },
    ]);
    await test.sns.deletePlatformApplication({ PlatformApplicationArn });
    await test.sns.deletePlatformApplication({ PlatformApplicationArn });
    expect(await failureOf(read())).toEqual(missing('PlatformApplication'));
  });

  it.each([
    ['a'.repeat(257), 'ADM', CREDENTIALS, `${'a'.repeat(257)} Reason: must be at most 256 characters long`],
    ['', 'ADM', CREDENTIALS, ' Reason: cannot be empty'],
    [
      '@name',
      'ADM',
      CREDENTIALS,
      "@name Reason: must contain only characters 'a'-'z', 'A'-'Z', '0'-'9', '_', '-', and '.'",
    ],
    ['a', 'AAA', CREDENTIALS, 'Platform Reason: AAA is not supported'],
    [
      'a',
      'ADM',
      { PlatformPrincipal: 'x' },
      'Attributes Reason: PlatformPrincipal attribute provided without PlatformCredential',
    ],
    [
      'a',
      'ADM',
      { PlatformCredential: 'x' },
      'Attributes Reason: PlatformCredential attribute provided without PlatformPrincipal',
    ],
    ['a', 'ADM', { ...CREDENTIALS, Nonsense: 'x' }, 'Attributes Reason: Invalid attribute name: Nonsense'],
  ])('reject %.20s %s', async (name, platform, attributes, reason) => {
    expect(await failureOf(application(name, { ...attributes } as Record<string, string>, platform))).toEqual(
      invalid(reason),
    );
  });

  it('have ARNs', async () => {
    const read = (PlatformApplicationArn: string) =>
      failureOf(test.sns.getPlatformApplicationAttributes({ PlatformApplicationArn }));
    expect(await read('x')).toEqual(
      invalid('PlatformApplicationArn Reason: An ARN must have at least 6 elements, not 1'),
    );
    expect(await read(`${ARN}:app/ADM/none`)).toEqual(missing('PlatformApplication'));
    expect(
      await failureOf(test.sns.createPlatformApplication({ Name: 'a', Platform: 'ADM', Attributes: undefined })),
    ).toEqual({
      code: 'ValidationError',
      message:
        "1 validation error detected: Value null at 'attributes' failed to satisfy constraint: Member must not be null",
      status: 400,
    });
  });
});

describe('platform endpoints', () => {
  it('are created once per token', async () => {
    const PlatformApplicationArn = await application('endpoints');
    const create = (input: { CustomUserData?: string; Attributes?: Record<string, string> } = {}) =>
      test.sns.createPlatformEndpoint({ PlatformApplicationArn, Token: 'token_1', ...input });
    const { EndpointArn } = await create({ CustomUserData: 'foo', Attributes: { CustomUserData: 'bar' } });
    expect(EndpointArn).toMatch(new RegExp(`^${ARN}:endpoint/ADM/endpoints/[\\da-f-]{36}$`));
    expect((await create()).EndpointArn).toBe(EndpointArn);
    expect((await create({ CustomUserData: 'foo' })).EndpointArn).toBe(EndpointArn);
    expect(await failureOf(create({ CustomUserData: 'other' }))).toEqual(
      invalid(`Token Reason: Endpoint ${EndpointArn} already exists with the same Token, but different attributes.`),
    );
    expect((await test.sns.getEndpointAttributes({ EndpointArn })).Attributes).toEqual({
      Enabled: 'true',
      Token: 'token_1',
      CustomUserData: 'foo',
    });
    await test.sns.setEndpointAttributes({ EndpointArn, Attributes: { Enabled: 'false' } });
    const list = async () => (await test.sns.listEndpointsByPlatformApplication({ PlatformApplicationArn })).Endpoints;
    expect(await list()).toEqual([
      { EndpointArn, Attributes: { Enabled: 'false', Token: 'token_1', CustomUserData: 'foo' } },
    ]);
    await test.sns.deleteEndpoint({ EndpointArn });
    await test.sns.deleteEndpoint({ EndpointArn });
    expect(await list()).toEqual([]);
    await test.sns.deletePlatformApplication({ PlatformApplicationArn });
    expect(await failureOf(list())).toEqual(missing('PlatformApplication'));
  });

  it('reject invalid attributes', async () => {
    const PlatformApplicationArn = await application('strict');
    const { EndpointArn } = await test.sns.createPlatformEndpoint({ PlatformApplicationArn, Token: 't' });
    const cases: [Record<string, string>, string][] = [
      [{ PlatformPrincipal: 'x' }, 'Invalid attribute name: PlatformPrincipal'],
      [
        { CustomUserData: 'x'.repeat(2049) },
        'Invalid value for attribute: CustomUserData: must be at most 2048 bytes long in UTF-8 encoding',
      ],
    ];
    for (const [Attributes, reason] of cases) {
      const failure = invalid(`Attributes Reason: ${reason}`);
      expect(await failureOf(test.sns.setEndpointAttributes({ EndpointArn, Attributes }))).toEqual(failure);
      expect(
        await failureOf(test.sns.createPlatformEndpoint({ PlatformApplicationArn, Token: 'u', Attributes })),
      ).toEqual(failure);
    }
    const set = (arn: string) =>
      failureOf(test.sns.setEndpointAttributes({ EndpointArn: arn, Attributes: { Enabled: 'true' } }));
    expect(await set(`${ARN}:endpoint/ADM/strict`)).toEqual(
      invalid('EndpointArn Reason: Wrong number of slashes in relative portion of the ARN.'),
    );
    expect(await set(`${ARN}:endpoint/ADM/strict/none`)).toEqual(missing('Endpoint'));
  });

  it('receive messages while they and their application are enabled', async () => {
    const PlatformApplicationArn = await application('push', { PlatformCredential: 'key' }, 'GCM');
    const { EndpointArn } = await test.sns.createPlatformEndpoint({ PlatformApplicationArn, Token: 'device' });
    const TopicArn = await test.topic('push');
    await test.subscribe(TopicArn, 'application', EndpointArn!);
    const publish = (target: { TopicArn?: string; TargetArn?: string }) =>
      test.sns.publish({ ...target, Message: 'push' });
    const statuses = async () => (await test.messages()).at(-1)!.deliveries.map(({ status }) => status);
    await publish({ TargetArn: EndpointArn });
    expect((await test.messages()).at(-1)).toMatchObject({ targetArn: EndpointArn, message: 'push' });
    await publish({ TopicArn });
    expect(await statuses()).toEqual(['delivered']);
    await test.sns.setEndpointAttributes({ EndpointArn, Attributes: { Enabled: 'false' } });
    expect(await failureOf(publish({ TargetArn: EndpointArn }))).toEqual({
      code: 'EndpointDisabled',
      message: 'Endpoint is disabled',
      status: 400,
    });
    await publish({ TopicArn });
    expect(await statuses()).toEqual(['failed']);
    await test.sns.setPlatformApplicationAttributes({ PlatformApplicationArn, Attributes: { Enabled: 'false' } });
    expect((await failureOf(publish({ TargetArn: EndpointArn }))).code).toBe('PlatformApplicationDisabled');
    await test.sns.deleteEndpoint({ EndpointArn });
    await publish({ TopicArn });
    expect(await statuses()).toEqual(['failed']);
    expect((await test.sns.listSubscriptionsByTopic({ TopicArn })).Subscriptions).toHaveLength(1);
    for (const nowhere of [`${EndpointArn}-x`, EndpointArn!])
      expect(await failureOf(test.subscribe(TopicArn, 'application', nowhere))).toEqual(
        invalid(`Endpoint Reason: Endpoint does not exist for endpoint ${nowhere}`),
      );
  });
});
