import { ResourceGroups } from '@aws-sdk/client-resource-groups';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { APPLICATION, tagQuery } from './support.ts';

/** Creates state of every persisted kind. */
async function act(config: TestClientConfig): Promise<string> {
  const groups = new ResourceGroups(config);
  await groups.createGroup({ Name: 'shop', ResourceQuery: tagQuery({ team: ['shop'] }), Tags: { a: 'b' } });
  const { Group } = await groups.createGroup({ Name: 'app', Configuration: APPLICATION });
  const { GroupArn } = (await groups.createGroup({ Name: 'other', Description: 'x' })).Group!;
  await groups.groupResources({ Group: Group!.Name, ResourceArns: [GroupArn!] });
  return Group!.Name!;
}

/** Reads the state through operations. */
async function observe(config: TestClientConfig, Group: string): Promise<unknown> {
  const groups = new ResourceGroups(config);
  const { Groups } = await groups.listGroups({});
  const statuses = await groups.listGroupingStatuses({ Group }).then(
    ({ GroupingStatuses }) => GroupingStatuses,
    ({ name }: Error) => name,
  );
  return { Groups, statuses };
}

describeServiceContract({ manifest, scope: 'region', act, observe });
