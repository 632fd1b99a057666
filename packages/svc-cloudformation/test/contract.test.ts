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

/** Creates persistent state of each kind. */
async function act(config: TestClientConfig): Promise<void> {
  const cfn = new CloudFormation(config);
  const StackName = 's';
  await cfn.createStack({ StackName, TemplateBody: template('1'), Tags: [{ Key: 'a', Value: 'b' }] });
  await settled(cfn, StackName);
  await cfn.createChangeSet({ StackName, ChangeSetName: 'c', TemplateBody: template('2') });
  const { StackDriftDetectionId } = await cfn.detectStackDrift({ StackName });
  await until(async () => {
    const { DetectionStatus } = await cfn.describeStackDriftDetectionStatus({ StackDriftDetectionId });
    return DetectionStatus !== 'DETECTION_IN_PROGRESS';
  });
  await cfn.createStackSet({ StackSetName: 'set', TemplateBody: template('1').replace('exported', 'other') });
  const OperationId = 'operation';
  const place = { Accounts: ['111111111111'], Regions: ['us-west-2'] };
  await cfn.createStackInstances({ StackSetName: 'set', OperationId, ...place });
  await until(async () => {
    const { StackSetOperation } = await cfn.describeStackSetOperation({ StackSetName: 'set', OperationId });
    return StackSetOperation!.Status !== 'RUNNING';
  });
  const { ResourceScanId } = await cfn.startResourceScan({});
  await until(async () => (await cfn.describeResourceScan({ ResourceScanId })).Status !== 'IN_PROGRESS');
  await cfn.createGeneratedTemplate({ GeneratedTemplateName: 'generated' });
  await until(async () => {
    const { Status } = await cfn.describeGeneratedTemplate({ GeneratedTemplateName: 'generated' });
    return Status === 'COMPLETE';
  });
  await cfn.createStackRefactor({
    StackDefinitions: [{ StackName, TemplateBody: template('1').replace('"M"', '"N"') }],
  });
  await cfn.activateType({ Type: 'HOOK', TypeName: 'AWS::Hooks::LambdaHook', PublisherId: 'aws-hooks' });
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (await done()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('it does not end');
}

const settled = (cfn: CloudFormation, StackName: string): Promise<void> =>
  until(async () => {
    const { Stacks } = await cfn.describeStacks({ StackName });
    return !Stacks![0]!.StackStatus!.endsWith('_IN_PROGRESS');
  });

/** The visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const cfn = new CloudFormation(config);
  const { Stacks = [] } = await cfn.describeStacks({});
  const details = Stacks.map(async ({ StackName }) => [
    (await cfn.describeStackEvents({ StackName })).StackEvents,
    (await cfn.describeStackResources({ StackName })).StackResources,
    (await cfn.getTemplate({ StackName })).TemplateBody,
    (await cfn.listChangeSets({ StackName: StackName! })).Summaries,
  ]);
  const { Summaries: sets = [] } = await cfn.listStackSets({});
  const fleets = sets.map(async ({ StackSetId: StackSetName }) => [
    (await cfn.describeStackSet({ StackSetName })).StackSet,
    (await cfn.listStackInstances({ StackSetName })).Summaries,
    (await cfn.listStackSetOperations({ StackSetName })).Summaries,
  ]);
  return [
    [Stacks, await Promise.all(details), (await cfn.listExports({})).Exports],
    [sets, await Promise.all(fleets)],
    (await cfn.listResourceScans({})).ResourceScanSummaries,
    (await cfn.listGeneratedTemplates({})).Summaries,
    (await cfn.listStackRefactors({})).StackRefactorSummaries,
    (await cfn.listTypes({ Type: 'HOOK' })).TypeSummaries,
  ];
}

describeServiceContract({ manifest, scope: 'region', act, observe });
