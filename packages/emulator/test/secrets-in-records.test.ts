import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemberModel, ServiceModel, Shape } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../tools/testing/delays.ts';
import { RequestRecorder } from '../../core/src/recorder/recorder.ts';
import { createEmulator } from '../src/index.ts';

const PACKAGES = join(import.meta.dirname, '../..');
const SECRET = 'hidden-secret';
const MAX_DEPTH = 12;

/** Every model of a service. */
const MODELS = readdirSync(PACKAGES).flatMap((name) => {
  const folder = join(PACKAGES, name, 'model');
  const files = name.startsWith('svc-') ? readdirSync(folder).filter((file) => !file.includes('overlay')) : [];
  return files
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as ServiceModel)
    .filter(({ operations, shapes }) => operations && shapes);
});

/** Returns values of a shape that each contain the secret at one sensitive place, by the path of the place. */
function withSecrets(
  model: ServiceModel,
  use: MemberModel,
  path: string,
  within: readonly string[],
): Map<string, unknown> {
  const shape = model.shapes[use.shape]!;
  const found = new Map<string, unknown>();
  if (within.includes(use.shape) || within.length > MAX_DEPTH) return found;
  if (shape.sensitive) found.set(path, secretOf(model, shape));
  const inside = [...within, use.shape];
  const nested = (member: MemberModel | undefined, step: string, wrap: (value: unknown) => unknown): void => {
    if (!member) return;
    for (const [place, value] of withSecrets(model, member, `${path}${step}`, inside)) found.set(place, wrap(value));
  };
  for (const [name, member] of Object.entries(shape.members ?? {}))
    nested(member, `.${name}`, (value) => ({ [name]: value }));
  nested(shape.member, '[]', (value) => [value]);
  nested(shape.value, '{}', (value) => ({ key: value }));
  nested(shape.key, '{key}', (value) => ({ [String(value)]: 'x' }));
  return found;
}

/** Returns a value of a sensitive shape. */
function secretOf({ shapes }: ServiceModel, shape: Shape): unknown {
  switch (shape.type) {
    case 'blob':
      return Buffer.from(SECRET);
    case 'list':
      return [SECRET];
    case 'map':
      return { [SECRET]: SECRET };
    case 'structure': {
      const names = Object.entries(shape.members ?? {}).filter(([, member]) => shapes[member.shape]!.type === 'string');
      return Object.fromEntries(names.map(([name]) => [name, SECRET]));
    }
    default:
      return SECRET;
  }
}

/** Returns a recorded input or output as text. */
function recorded(model: ServiceModel, operation: string, part: 'input' | 'output', value: unknown): string {
  const recorder = new RequestRecorder(true, 1_000_000, () => ({ model }) as never);
  recorder.record({
    service: model.service,
    operation,
    requestId: 'r',
    cause: undefined,
    via: undefined,
    principal: { arn: 'arn:aws:iam::123456789012:root' } as never,
    accountId: '123456789012',
    region: 'us-east-1',
    input: part === 'input' ? value : {},
    output: part === 'output' ? value : {},
    status: 200,
    errorCode: undefined,
    errorMessage: undefined,
    receivedAt: 0,
    duration: 0,
  });
  return JSON.stringify([...recorder.list()]);
}

/** Members that have the name of a secret and are none, by the end of their name. */
const NO_SECRETS =
  /(?:Arn|ARN|Id|Name|Alias|Type|Version|Verifier|Source|Expression|Unit|Units|Date|Stages|CiphertextBlob)$/;
/** Members that have the name of a secret and are none, with the reason. */
const KNOWN: Readonly<Record<string, string>> = {
  'apigateway Integration credentials': 'ARN of a role',
  'apigateway PutIntegrationRequest credentials': 'ARN of a role',
  'apigateway Authorizer authorizerCredentials': 'ARN of a role',
  'apigateway CreateAuthorizerRequest authorizerCredentials': 'ARN of a role',
  'apigateway DeleteApiKeyRequest apiKey': 'id of the key',
  'apigateway GetApiKeyRequest apiKey': 'id of the key',
  'apigateway UpdateApiKeyRequest apiKey': 'id of the key',
  'iam UpdateSAMLProviderRequest RemovePrivateKey': 'id of the key',
  'sns VerifySMSSandboxPhoneNumberInput OneTimePassword': 'proves the possession of a phone that receives no message',
};

describe('the recorder', () => {
  it.each(MODELS.map((model) => [model.service, model] as const))('masks every sensitive member of %s', (_, model) => {
    const shown: string[] = [];
    for (const [operation, { input, output }] of Object.entries(model.operations))
      for (const [part, use] of Object.entries({ input, output })) {
        if (!use) continue;
        for (const [path, value] of withSecrets(model, use, part, []))
          if (recorded(model, operation, part as 'input', value).includes(SECRET)) shown.push(`${operation} ${path}`);
      }
    expect(shown).toEqual([]);
  });

  it('masks members with names of secrets', () => {
    const shown: string[] = [];
    for (const { service, shapes } of MODELS)
      for (const [name, { members = {} }] of Object.entries(shapes))
        for (const [member, { shape }] of Object.entries(members)) {
          const target = shapes[shape]!;
          if (!/secret|passw|private_?key|credential|^api_?key/i.test(member) || NO_SECRETS.test(member)) continue;
          if ((target.type !== 'string' && target.type !== 'blob') || target.sensitive) continue;
          const model = { service, shapes, operations: { Use: { http: {}, input: { shape: name } } } };
          const text = recorded(model as never, 'Use', 'input', { [member]: SECRET });
          if (text.includes(SECRET) && !KNOWN[`${service} ${name} ${member}`])
            shown.push(`${service} ${name} ${member}`);
        }
    expect(shown).toEqual([]);
  });

  it.each([
    ['apigateway', 'CreateApiKey', 'output', { value: SECRET }],
    ['apigateway', 'GetApiKeys', 'output', { items: [{ value: SECRET }] }],
    ['apigateway', 'ImportApiKeys', 'input', { body: Buffer.from(SECRET) }],
    ['cloudformation', 'CreateStack', 'input', { Parameters: [{ ParameterKey: 'a', ParameterValue: SECRET }] }],
    ['cognito-idp', 'CreateIdentityProvider', 'input', { ProviderDetails: { client_secret: SECRET } }],
    ['cognito-idp', 'DescribeUserPoolClient', 'output', { UserPoolClient: { ClientSecret: SECRET } }],
    ['ecr', 'GetAuthorizationToken', 'output', { authorizationData: [{ authorizationToken: SECRET }] }],
    ['sns', 'CreatePlatformApplication', 'input', { Attributes: { PlatformCredential: SECRET } }],
    ['ssm', 'CreateActivation', 'output', { ActivationCode: SECRET }],
    ['cognito-idp', 'ConfirmSignUp', 'input', { ConfirmationCode: SECRET }],
    ['cloudformation', 'CreateStack', 'input', { TemplateBody: `Default: ${SECRET}` }],
    ['apigateway', 'TestInvokeMethod', 'input', { headers: { authorization: SECRET, 'X-Api-Key': SECRET } }],
    ['apigateway', 'TestInvokeMethod', 'input', { multiValueHeaders: { 'X-Amz-Security-Token': [SECRET] } }],
    ['apigateway', 'TestInvokeMethod', 'input', { pathWithQueryString: `/?a=b&X-Amz-Signature=${SECRET}` }],
    ['cloudformation', 'CreateStack', 'input', { TemplateURL: `https://b/t?X-Amz-Security-Token=${SECRET}&a=b` }],
    ['sqs', 'SendMessage', 'input', { MessageBody: JSON.stringify({ Password: SECRET }) }],
    ['sqs', 'SendMessage', 'input', { MessageBody: JSON.stringify({ a: { secretAccessKey: `a"${SECRET}` } }) }],
    ['sqs', 'SendMessage', 'input', { MessageBody: JSON.stringify({ a: JSON.stringify({ SecretString: SECRET }) }) }],
    ['sqs', 'SendMessage', 'input', { MessageBody: JSON.stringify({ headers: { Authorization: [SECRET] } }) }],
    ['sqs', 'SendMessage', 'input', { MessageBody: `{"SessionToken":"${SECRET}${'x'.repeat(9000)}"}` }],
  ] as const)('masks the secret of %s %s', (service, operation, part, value) => {
    const model = MODELS.find((one) => one.service === service)!;
    expect(recorded(model, operation, part, value)).toContain('***');
    expect(recorded(model, operation, part, value)).not.toContain(SECRET);
  });

  it('masks sensitive values of the input in the message of an error', async () => {
    await using emulator = await createEmulator({ services: ['sns', 'ssm'] });
    await emulator.control.requests.record();
    const { kernel } = emulator;
    await expect(
      kernel.callJson('sns', 'Publish', { PhoneNumber: `${SECRET}${'x'.repeat(5000)}`, Message: 'a' }),
    ).rejects.toThrow(SECRET);
    const [request] = await emulator.control.requests.list();
    expect(request!.errorMessage).toBe('Invalid parameter: PhoneNumber Reason: *** is not valid to publish to');
  });

  it('masks a text of many backslashes and quotation marks in linear time', () => {
    const text = `${'\\'.repeat(1000)}"`.repeat(2) + '"Password":"'.repeat(100_000);
    const model = MODELS.find(({ service }) => service === 'sqs')!;
    expect(cpuTime(() => recorded(model, 'SendMessage', 'input', { MessageBody: text }))).toBeLessThan(100);
  });

  it('masks NoEcho parameters and secrets of dynamic references in the calls of a stack', async () => {
    await using emulator = await createEmulator({ services: ['cloudformation', 'secretsmanager', 'sns', 'sqs'] });
    await emulator.control.requests.record();
    const { kernel } = emulator;
    await kernel.callJson('secretsmanager', 'CreateSecret', {
      Name: 'a',
      SecretString: `${SECRET}-of-reference`,
      ClientRequestToken: 'a'.repeat(32),
    });
    const TemplateBody = JSON.stringify({
      Parameters: { Key: { Type: 'String', NoEcho: true } },
      Resources: {
        Topic: { Type: 'AWS::SNS::Topic', Properties: { DisplayName: { 'Fn::Sub': 'it is ${Key}.' } } },
        Other: { Type: 'AWS::SNS::Topic', Properties: { DisplayName: '{{resolve:secretsmanager:a}}' } },
        Queue: {
          Type: 'AWS::SQS::Queue',
          Properties: { QueueName: 'q', RedrivePolicy: { deadLetterTargetArn: { Ref: 'Key' }, maxReceiveCount: 1 } },
        },
      },
    });
    const Parameters = [{ ParameterKey: 'Key', ParameterValue: SECRET }];
    await kernel.callJson('cloudformation', 'CreateStack', { StackName: 'masked', TemplateBody, Parameters });
    const recorded = () => emulator.control.requests.list();
    await expect
      .poll(async () => (await recorded()).filter(({ via }) => via === 'cloudformation').length)
      .toBeGreaterThan(2);
    await expect
      .poll(async () => JSON.stringify(await kernel.callJson('cloudformation', 'DescribeStacks', {})))
      .toMatch(/ROLLBACK_COMPLETE|CREATE_COMPLETE/);
    const text = JSON.stringify(await recorded());
    expect(text).toContain('"it is ***."');
    expect(text).not.toContain(SECRET);
  });

  it('masks parameters of stacks in requests and in their tree', async () => {
    await using emulator = await createEmulator();
    await emulator.control.requests.record();
    const TemplateBody = JSON.stringify({
      Parameters: { Key: { Type: 'String', NoEcho: true } },
      Resources: { Queue: { Type: 'AWS::SQS::Queue' } },
    });
    const Parameters = [{ ParameterKey: 'Key', ParameterValue: SECRET }];
    await emulator.kernel.callJson('cloudformation', 'CreateStack', { StackName: 'masked', TemplateBody, Parameters });
    const texts = [await emulator.control.requests.list(), await emulator.control.requests.tree()].map((one) =>
      JSON.stringify(one),
    );
    for (const text of texts) {
      expect(text).toContain('CreateStack');
      expect(text).not.toContain(SECRET);
    }
  });
});
