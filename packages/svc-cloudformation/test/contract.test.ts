import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const template = (Version: string) =>
  JSON.stringify({
    Parameters: { P: { Type: 'String', Default: 'ü' } },
    Resources: {
      M: { Type: 'AWS::CDK::Metadata', Properties: { Version } },
      Expand: { Type: 'AWS::CloudFormation::Macro', Properties: { Name: 'Expand', FunctionName: 'f' } },
    },
    Outputs: { O: { Value: { Ref: 'P' }, Export: { Name: 'exported' } } },
  });

/** Makes state of every kind that persists. */
async function act(config: TestClientConfig): Promise<void> {
  const cfn = new CloudFormation(config);
  const StackName = 's';
  await cfn.createStack({ StackName, TemplateBody: template('1'), Tags: [{ Key: 'a', Value: 'b' }] });
  await settled(cfn, StackName);
  await cfn.createChangeSet({ StackName, ChangeSetName: 'c', TemplateBody: template('2') });
}

async function settled(cfn: CloudFormation, StackName: string): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    const { Stacks } = await cfn.describeStacks({ StackName });
    if (!Stacks![0]!.StackStatus!.endsWith('_IN_PROGRESS')) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${StackName} did not settle`);
}

/** What can be seen of it. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const cfn = new CloudFormation(config);
  const { Stacks = [] } = await cfn.describeStacks({});
  const details = Stacks.map(async ({ StackName }) => [
    (await cfn.describeStackEvents({ StackName })).StackEvents,
    (await cfn.describeStackResources({ StackName })).StackResources,
    (await cfn.getTemplate({ StackName })).TemplateBody,
    (await cfn.listChangeSets({ StackName: StackName! })).Summaries,
  ]);
  return [Stacks, await Promise.all(details), (await cfn.listExports({})).Exports];
}

describeServiceContract({ manifest, scope: 'region', act, observe });
