import { CloudControl } from '@aws-sdk/client-cloudcontrol';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { Store, TYPE } from './support.ts';

const store = new Store();

/** Creates state of every persisted kind. */
async function act(config: TestClientConfig): Promise<string> {
  const control = new CloudControl(config);
  store.things.clear();
  const { ProgressEvent } = await control.createResource({ TypeName: TYPE, DesiredState: '{"Name":"kept"}' });
  const RequestToken = ProgressEvent!.RequestToken!;
  while ((await status(config, RequestToken)) === 'IN_PROGRESS') await new Promise((resolve) => setImmediate(resolve));
  return RequestToken;
}

async function status(config: TestClientConfig, RequestToken: string): Promise<string> {
  return new CloudControl(config).getResourceRequestStatus({ RequestToken }).then(
    ({ ProgressEvent }) => ProgressEvent!.OperationStatus!,
    ({ name }: Error) => name,
  );
}

describeServiceContract({ manifest, others: [store.manifest], scope: 'region', act, observe: status });
