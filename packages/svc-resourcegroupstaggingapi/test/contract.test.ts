import { ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import { describeServiceContract, fakeService, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const bucket = fakeService('s3', { PutObject: () => ({}) });

async function status(config: TestClientConfig): Promise<string> {
  const tagging = new ResourceGroupsTaggingAPI(config);
  return tagging.describeReportCreation({}).then(
    ({ Status, S3Location }) => `${Status} ${S3Location?.replace(/\d.*Z/, '')}`,
    ({ name }: Error) => name,
  );
}

/** Creates state of every persisted kind. */
async function act(config: TestClientConfig): Promise<void> {
  await new ResourceGroupsTaggingAPI(config).startReportCreation({ S3Bucket: 'reports' });
  while ((await status(config)).startsWith('RUNNING')) await new Promise((resolve) => setImmediate(resolve));
}

describeServiceContract({ manifest, others: [bucket], scope: 'region', act, observe: status });
