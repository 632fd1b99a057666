import type { Facts, Scenario, Send } from '../scenario.ts';

const NODE = 'i-00000000000000001';
const SnapshotId = '521c3536-930c-4aa9-950e-01234567abcd';

const everywhere = JSON.stringify({
  schemaVersion: '0.3',
  accessTokenRole: 'node-access',
  AutoApprovalPolicyDocuments: [{ type: 'Cedar', content: 'permit (principal, action, resource);' }],
});
const rules = (product: string) => ({
  PatchRules: [{ PatchFilterGroup: { PatchFilters: [{ Key: 'PRODUCT', Values: [product] }] }, ApproveAfterDays: 3 }],
});
const ofNode = () => ({ InstanceId: NODE, SnapshotId });

/** Requests access to a node, which a policy grants. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateDocument', {
    Name: 'SSM-JustInTimeAccessAutoApprovalPolicy',
    DocumentType: 'AutoApprovalPolicy',
    Content: everywhere,
  });
  const { AccessRequestId } = await send('StartAccessRequest', asks());
  return { access: String(AccessRequestId) };
}

const asks = () => ({ Reason: 'a repair', Targets: [{ Key: 'InstanceIds', Values: [NODE] }] });

/** Access to nodes and patches. */
export const access = {
  setUp,
  inputs: {
    GetAccessToken: (facts: Facts) => ({ AccessRequestId: facts.access }),
    GetDeployablePatchSnapshotForInstance: ofNode,
    StartAccessRequest: asks,
  },
  also: {
    GetDeployablePatchSnapshotForInstance: [
      () => ({
        ...ofNode(),
        BaselineOverride: {
          OperatingSystem: 'AMAZON_LINUX_2023',
          ApprovalRules: rules('*'),
          ApprovedPatches: ['kernel'],
          Sources: [{ Name: 'extra', Products: ['AmazonLinux2023'], Configuration: '[extra]' }],
        },
      }),
    ],
  },
  values: {
    'StartAccessRequest.Targets[].Key': ['InstanceIds', 'tag-key'],
    'GetDeployablePatchSnapshotForInstance.BaselineOverride.OperatingSystem': ['AMAZON_LINUX_2023', 'UBUNTU'],
  },
} satisfies Pick<Scenario, 'setUp' | 'inputs' | 'also' | 'values'>;
