import { Pipes } from '@aws-sdk/client-pipes';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { pipe } from './support.ts';

/** Creates state of every persisted kind. */
async function act(config: TestClientConfig): Promise<void> {
  const pipes = new Pipes(config);
  await pipes.createPipe(
    pipe({
      Description: 'ü',
      Tags: { team: 'orders' },
      SourceParameters: { FilterCriteria: { Filters: [{ Pattern: '{"body":{"a":[1]}}' }] } },
      TargetParameters: { InputTemplate: '<$.body>' },
    }),
  );
}

/** Reads the state through operations. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const pipes = new Pipes(config);
  const { Pipes: list } = await pipes.listPipes({});
  const details = await Promise.all(list!.map(({ Name }) => pipes.describePipe({ Name })));
  // It is in a transitional state for a moment.
  return details.map(({ $metadata: _, CurrentState: __, ...rest }) => rest);
}

describeServiceContract({ manifest, scope: 'region', act, observe });
