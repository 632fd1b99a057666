import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const logGroupName = '/contract/group';
const logStreamName = 'stream';

/** Creates persistent state of each kind. */
async function act(config: TestClientConfig): Promise<void> {
  const logs = new CloudWatchLogs(config);
  await logs.createLogGroup({ logGroupName, tags: { team: 'blue' } });
  await logs.createLogStream({ logGroupName, logStreamName });
  const timestamp = Date.now();
  await logs.putLogEvents({ logGroupName, logStreamName, logEvents: [{ timestamp, message: 'kept "as it is" ü\n' }] });
}

/** The visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const logs = new CloudWatchLogs(config);
  const { logGroups } = await logs.describeLogGroups();
  if (!logGroups?.length) return { logGroups };
  const { logStreams } = await logs.describeLogStreams({ logGroupName });
  const { events } = await logs.getLogEvents({ logGroupName, logStreamName });
  return { logGroups, logStreams, events };
}

describeServiceContract({ manifest, scope: 'region', act, observe });
