import { ResourceGroups } from '@aws-sdk/client-resource-groups';
import { createTestEmulator, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { failureOf, stackQuery } from './support.ts';

const STACK = 'arn:aws:cloudformation:us-east-1:123456789012:stack/shop/1';
const GROUP = 'arn:aws:resource-groups:us-east-1:123456789012:group/inner';
const TYPE = 'AWS::ResourceGroups::Group';
/** Status of the only stack; undefined if it does not exist. */
let status: string | undefined = 'CREATE_COMPLETE';

const cloudformation = fakeService('cloudformation', {
  DescribeStacks({ StackName }) {
    if (status === undefined || StackName !== STACK)
      throw awsError('ValidationError', `Stack with id ${StackName} does not exist`);
    return { Stacks: [{ StackStatus: status }] };
  },
  ListStackResources: ({ NextToken }) =>
    NextToken
      ? { StackResourceSummaries: [{ ResourceType: 'AWS::SQS::Queue', PhysicalResourceId: 'gone' }] }
      : { StackResourceSummaries: [{ ResourceType: TYPE, PhysicalResourceId: 'inner' }], NextToken: 'more' },
});

let emulator: TestEmulator;
let groups: ResourceGroups;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest, cloudformation],
    settings: { accountId: '123456789012', region: 'us-east-1' },
  });
  groups = new ResourceGroups(emulator.clientConfig());
});
afterAll(() => emulator.close());

test('a query returns the resources of a stack until it is deleted', async () => {
  await groups.createGroup({ Name: 'inner' });
  await groups.createGroup({ Name: 'stack', ResourceQuery: stackQuery(STACK) });
  const { Resources, ResourceIdentifiers } = await groups.listGroupResources({ Group: 'stack' });
  expect(ResourceIdentifiers).toEqual([{ ResourceArn: GROUP, ResourceType: TYPE }]);
  expect(Resources).toEqual([{ Identifier: ResourceIdentifiers![0] }]);
  const other = stackQuery(STACK, ['AWS::SQS::Queue']);
  expect((await groups.searchResources({ ResourceQuery: other })).ResourceIdentifiers).toEqual([]);

  status = 'DELETE_COMPLETE';
  const Message =
    'The specified CloudFormation stack cannot have the following statuses: DELETE_COMPLETE, ROLLBACK_COMPLETE, CREATE_FAILED.';
  const dead = await groups.listGroupResources({ Group: 'stack' });
  expect([dead.ResourceIdentifiers, dead.QueryErrors]).toEqual([
    [],
    [{ ErrorCode: 'CLOUDFORMATION_STACK_INACTIVE', Message }],
  ]);
  const again = groups.createGroup({ Name: 'dead', ResourceQuery: stackQuery(STACK) });
  expect(await failureOf(again)).toBe(`BadRequestException: Query not valid: ${Message}`);

  status = undefined;
  const { QueryErrors } = await groups.searchResources({ ResourceQuery: stackQuery(STACK) });
  expect(QueryErrors![0]!.ErrorCode).toBe('CLOUDFORMATION_STACK_NOT_EXISTING');
  expect(await failureOf(groups.searchResources({ ResourceQuery: stackQuery('shop') }))).toBe(
    'BadRequestException: Query not valid: StackIdentifier must be the ARN of a stack.',
  );
});
