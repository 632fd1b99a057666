import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { type ServiceModel, unsupportedPatterns } from '@emu/wire';
import { expect, test } from 'vitest';
import model from '../model/secretsmanager.json' with { type: 'json' };
import { manifest } from '../src/manifest.ts';
import { token } from './support.ts';

async function act(config: TestClientConfig): Promise<void> {
  const secrets = new SecretsManager(config);
  const { ARN } = await secrets.createSecret({
    Name: 'app/db',
    Description: 'd',
    SecretString: 'first',
    ClientRequestToken: token(1),
    Tags: [{ Key: 'a', Value: 'b' }],
  });
  await secrets.putSecretValue({
    SecretId: 'app/db',
    SecretBinary: Buffer.from([0, 255]),
    ClientRequestToken: token(2),
  });
  await secrets.putResourcePolicy({
    SecretId: 'app/db',
    ResourcePolicy: JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: '*' }, Action: 'secretsmanager:GetSecretValue', Resource: '*' }],
    }),
  });
  await secrets.createSecret({ Name: 'gone', SecretString: 'x' });
  await secrets.deleteSecret({ SecretId: 'gone', RecoveryWindowInDays: 7 });
  // The day of the first read is stored.
  for (const VersionStage of ['AWSCURRENT', 'AWSPREVIOUS'])
    await secrets.getSecretValue({ SecretId: ARN, VersionStage });
}

async function observe(config: TestClientConfig) {
  const secrets = new SecretsManager(config);
  const told = async (request: Promise<object>) =>
    request.then(
      (answer) => JSON.parse(JSON.stringify(answer, (key, value) => (key === '$metadata' ? undefined : value))),
      (error: Error) => `${error.name}: ${error.message}`,
    );
  return [
    await told(secrets.listSecrets({ IncludePlannedDeletion: true })),
    await told(secrets.getSecretValue({ SecretId: 'app/db' })),
    await told(secrets.getSecretValue({ SecretId: 'app/db', VersionStage: 'AWSPREVIOUS' })),
    await told(secrets.describeSecret({ SecretId: 'app/db' })),
    await told(secrets.getResourcePolicy({ SecretId: 'app/db' })),
    await told(secrets.listSecretVersionIds({ SecretId: 'app/db' })),
  ];
}

describeServiceContract({ manifest, scope: 'region', act, observe });

test('parses every pattern of the model', () => {
  expect(unsupportedPatterns(model as unknown as ServiceModel)).toEqual([]);
});
