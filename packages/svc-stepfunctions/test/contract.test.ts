import { SFN } from '@aws-sdk/client-sfn';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const roleArn = 'arn:aws:iam::123456789012:role/states';
const definition = JSON.stringify({
  StartAt: 'Rest',
  States: { Rest: { Type: 'Wait', Seconds: 3600, Next: 'Done' }, Done: { Type: 'Succeed' } },
});

/** Creates state of every persistent kind. */
async function act(config: TestClientConfig): Promise<void> {
  const sfn = new SFN(config);
  const machine = await sfn.createStateMachine({
    name: 'm',
    definition,
    roleArn,
    publish: true,
    tags: [{ key: 'team', value: 'orders' }],
  });
  await sfn.createStateMachineAlias({
    name: 'live',
    routingConfiguration: [{ stateMachineVersionArn: machine.stateMachineVersionArn, weight: 100 }],
  });
  await sfn.createActivity({ name: 'a', tags: [{ key: 'x', value: 'y' }] });
  await sfn.startExecution({ stateMachineArn: machine.stateMachineArn, name: 'waits', input: '{"a":1}' });
}

/** Returns its visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const sfn = new SFN(config);
  const { activities } = await sfn.listActivities({});
  const machines = [];
  for (const { stateMachineArn } of (await sfn.listStateMachines({})).stateMachines!) {
    const { $metadata: _, ...described } = await sfn.describeStateMachine({ stateMachineArn });
    const { stateMachineVersions } = await sfn.listStateMachineVersions({ stateMachineArn });
    const { stateMachineAliases } = await sfn.listStateMachineAliases({ stateMachineArn });
    const { tags } = await sfn.listTagsForResource({ resourceArn: stateMachineArn });
    const executions = [];
    for (const { executionArn } of (await sfn.listExecutions({ stateMachineArn })).executions!) {
      const { status, input } = await sfn.describeExecution({ executionArn });
      executions.push({ status, input, events: (await sfn.getExecutionHistory({ executionArn })).events });
    }
    machines.push({ described, stateMachineVersions, stateMachineAliases, tags, executions });
  }
  return { activities, machines };
}

describeServiceContract({ manifest, scope: 'region', act, observe });
