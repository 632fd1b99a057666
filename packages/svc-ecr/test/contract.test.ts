import { ECR } from '@aws-sdk/client-ecr';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const client = (config: TestClientConfig): ECR => new ECR(config);

/** Creates state of every persisted kind. */
async function act(config: TestClientConfig): Promise<void> {
  const ecr = client(config);
  await ecr.createRepository({ repositoryName: 'team/app', tags: [{ Key: 'a', Value: '1' }] });
  await ecr.putImageScanningConfiguration({
    repositoryName: 'team/app',
    imageScanningConfiguration: { scanOnPush: true },
  });
}

/** Reads the state through operations. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const { repositories } = await client(config).describeRepositories({});
  return repositories;
}

describeServiceContract({ manifest, scope: 'region', act, observe });
