import { ask, defined, defineProvider, differs, type Properties, pick, run, unlessEmpty } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const SETTINGS = [
  'ExternalSecretRotationMetadata',
  'ExternalSecretRotationRoleArn',
  'RotationLambdaARN',
  'RotationRules',
] as const;

interface RotationProperties extends Properties {
  readonly RotateImmediatelyOnUpdate?: boolean;
  readonly SecretId: string;
}

/**
 * Rotation schedules of secrets with an existing function. `HostedRotationLambda`, which creates a function in the
 * stack, uses a template of AWS and is unsupported.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-rotationschedule.html
 */
export const rotationSchedule: AnyResourceProvider = defineProvider<RotationProperties>({
  typeName: 'AWS::SecretsManager::RotationSchedule',
  model,
  service: 'secretsmanager',
  handles: [...SETTINGS, 'RotateImmediatelyOnUpdate', 'SecretId'],
  key: ['SecretId'],
  gone: ['ResourceNotFoundException'],

  async create({ RotateImmediatelyOnUpdate, ...properties }, ctx) {
    const { ARN } = await run(ctx, 'secretsmanager', 'RotateSecret', {
      ...properties,
      ClientRequestToken: ctx.ids.uuid(),
      RotateImmediately: RotateImmediatelyOnUpdate,
    });
    return { identifier: ARN!, attributes: { Id: ARN } };
  },

  async find(key, ctx) {
    const found = await ask(ctx, 'secretsmanager', 'DescribeSecret', key);
    return found.RotationEnabled === true && found.DeletedDate === undefined ? found : undefined;
  },

  describe: (found, { SecretId }) => ({
    properties: defined({
      ...pick(found, SETTINGS),
      RotationRules: unlessEmpty(found.RotationRules as Properties | undefined),
      SecretId,
    }),
    attributes: { Id: SecretId },
  }),

  async update(key, previous, desired, ctx) {
    if (differs(previous, desired, ...SETTINGS))
      await run(ctx, 'secretsmanager', 'RotateSecret', {
        ...pick(desired, SETTINGS),
        ...key,
        ClientRequestToken: ctx.ids.uuid(),
        RotateImmediately: desired.RotateImmediatelyOnUpdate,
      });
  },

  remove: 'CancelRotateSecret',
});
