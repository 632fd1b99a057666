import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestEmulator, describeDescriptors, type TestEmulator } from '../src/testing/index.ts';
import { networks } from './networks/plugin.ts';
import * as resources from './networks/resources.ts';
import type { NetworkState } from './networks/state.ts';
import type { NetworkOperations } from './networks/types.ts';

const { dhcpOptions, vpcs, subnets, securityGroups, natGateways, routes } = resources;

describeDescriptors({
  plugin: networks,
  dryRun: { member: 'DryRun', code: 'DryRunOperation' },
  tagged: (input, tags, ResourceType) => ({
    ...input,
    TagSpecifications: [{ ResourceType, Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }],
  }),
  resources: {
    dhcpOptions: { descriptor: dhcpOptions, input: (_made, n) => ({ DomainName: `d${n}.example` }) },
    vpcs: {
      descriptor: vpcs,
      input: (_made, n) => ({ CidrBlock: `10.${n}.0.0/16` }),
      others: {
        ModifyVpcAttribute: () => ({ EnableDnsSupport: { Value: false } }),
        DescribeVpcAttribute: () => ({ Attribute: 'EnableDnsSupport' }),
        AssociateDhcpOptions: (made) => ({ DhcpOptionsId: made.dhcpOptions!.DhcpOptionsId }),
      },
      invalid: {
        'a block that is too large': () => [{ CidrBlock: '10.0.0.0/8' }, 'InvalidVpc.Range'],
        'a netmask that is too long': () => [{ CidrBlock: undefined, Ipv4NetmaskLength: 29 }, 'InvalidParameterValue'],
        'a VPC of an Outpost': () => [{ OutpostArn: 'arn' }, 'NotImplemented'],
      },
    },
    subnets: {
      descriptor: subnets,
      input: ({ vpcs }, n) => ({ VpcId: vpcs!.VpcId, CidrBlock: `10.0.${n}.0/24` }),
    },
    securityGroups: {
      descriptor: securityGroups,
      input: ({ vpcs }, n) => ({ VpcId: vpcs!.VpcId, GroupName: `group${n}`, Description: 'test' }),
      invalid: { 'a name with a blank': () => [{ GroupName: 'a b' }, 'InvalidParameterValue'] },
    },
    natGateways: {
      descriptor: natGateways,
      input: ({ subnets }) => ({ SubnetId: subnets!.SubnetId, SecondarySubnetIds: [subnets!.SubnetId] }),
    },
    routes: {
      descriptor: routes,
      input: ({ natGateways }) => ({ NatGatewayId: natGateways!.NatGatewayId }),
    },
  },
});

describe('handlers of descriptors', () => {
  let emulator: TestEmulator;
  let account = 200_000_000_000;
  beforeAll(async () => {
    emulator = await createTestEmulator({ plugins: [networks] });
  });
  afterAll(() => emulator.close());

  /** Calls operations in a new account. @param region in eu-west-1, states last as long as on AWS */
  const client = (region = 'us-east-1') => {
    const place = { accountId: String(account++), region };
    const call = async <Name extends keyof NetworkOperations>(
      operation: Name,
      input: object,
    ): Promise<NetworkOperations[Name]['output']> =>
      (await emulator.kernel.callJson('networks', operation, input, place)) as NetworkOperations[Name]['output'];
    const failure = (operation: keyof NetworkOperations, input: object): Promise<string> =>
      call(operation, input).then(
        (output) => `answered ${JSON.stringify(output)}`,
        ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
      );
    return { call, failure };
  };
  const vpcOf = async ({ call }: ReturnType<typeof client>, input: object = {}): Promise<string> =>
    (await call('CreateVpc', input)).Vpc!.VpcId!;
  const subnetOf = async ({ call }: ReturnType<typeof client>, VpcId: string): Promise<string> =>
    (await call('CreateSubnet', { VpcId, CidrBlock: '10.0.0.0/24' })).Subnet!.SubnetId!;

  it('copy members of inputs, and add defaults', async () => {
    const { call } = client();
    expect(await call('CreateVpc', { Ipv4NetmaskLength: 20 })).toMatchObject({
      Vpc: { CidrBlock: '10.0.0.0/20', InstanceTenancy: 'default', State: 'available', Tags: [] },
    });
    expect(await call('CreateVpc', { CidrBlock: '10.1.0.0/16', InstanceTenancy: 'dedicated' })).toMatchObject({
      Vpc: { CidrBlock: '10.1.0.0/16', InstanceTenancy: 'dedicated' },
    });
  });

  it('change one attribute at a time', async () => {
    const one = client();
    const VpcId = await vpcOf(one);
    const on = { Value: true };
    expect(await one.call('ModifyVpcAttribute', { VpcId, EnableDnsHostnames: on })).toEqual({});
    expect(await one.call('DescribeVpcAttribute', { VpcId, Attribute: 'EnableDnsHostnames' })).toEqual({
      VpcId,
      EnableDnsHostnames: on,
    });
    expect(await one.failure('ModifyVpcAttribute', { VpcId })).toContain('MissingParameter');
    expect(await one.failure('ModifyVpcAttribute', { VpcId, EnableDnsHostnames: on, EnableDnsSupport: on })).toBe(
      'InvalidParameterCombination: Fields for multiple attribute types specified',
    );
  });

  it('name every unknown id of a list, and refuse a limit beside ids', async () => {
    const one = client();
    const VpcId = await vpcOf(one);
    const [a, b] = ['vpc-00000000', 'vpc-11111111'];
    expect(await one.failure('DescribeVpcs', { VpcIds: [a, VpcId, b] })).toBe(
      `InvalidVpcID.NotFound: The vpc IDs '${a}, ${b}' do not exist`,
    );
    expect(await one.failure('DescribeVpcs', { VpcIds: [VpcId], MaxResults: 5 })).toBe(
      'InvalidParameterCombination: The parameter VpcIds cannot be used with the parameter MaxResults',
    );
    expect((await one.call('DescribeVpcs', { VpcIds: [VpcId, VpcId] })).Vpcs).toHaveLength(1);
  });

  it('delete dependent records, and nothing if one is in use', async () => {
    const one = client();
    const VpcId = await vpcOf(one);
    const group = await one.call('CreateSecurityGroup', { VpcId, GroupName: 'own', Description: 'd' });
    expect(await one.failure('DeleteVpc', { VpcId })).toBe(
      `DependencyViolation: The vpc '${VpcId}' has dependencies and cannot be deleted.`,
    );
    const { SecurityGroups: [fixed] = [] } = await one.call('DescribeSecurityGroups', {
      Filters: [{ Name: 'group-name', Values: ['default'] }],
    });
    expect(await one.failure('DeleteSecurityGroup', { GroupId: fixed!.GroupId })).toContain('CannotDelete');
    expect(await one.call('DeleteSecurityGroup', { GroupName: 'own' })).toEqual({
      Return: true,
      GroupId: group.GroupId,
    });
    await one.call('DeleteVpc', { VpcId });
    expect((await one.call('DescribeSecurityGroups', {})).SecurityGroups).toEqual([]);
  });

  it('list records that match members of the input', async () => {
    const one = client();
    await vpcOf(one);
    expect((await one.call('DescribeSecurityGroups', { Owner: '000000000000' })).SecurityGroups).toEqual([]);
    expect((await one.call('DescribeSecurityGroups', { Owner: String(account - 1) })).SecurityGroups).toHaveLength(1);
  });

  it('refuse tags for other resources', async () => {
    const TagSpecifications = [{ ResourceType: 'subnet', Tags: [{ Key: 'a', Value: 'b' }] }];
    expect(await client().failure('CreateVpc', { TagSpecifications })).toBe(
      "InvalidParameterValue: 'subnet' is not a valid taggable resource type for this operation.",
    );
  });

  it("pass through states with AWS's durations, by a setting", async () => {
    const one = client('eu-west-1');
    const SubnetId = await subnetOf(one, await vpcOf(one));
    const { clock } = emulator.kernel;
    const stateOf = async (): Promise<unknown> =>
      (await one.call('DescribeNatGateways', {})).NatGateways![0]?.State ?? 'none';
    clock.freeze();
    try {
      const made = await one.call('CreateNatGateway', { SubnetId });
      const { NatGatewayId } = made.NatGateway!;
      expect([made.NatGateway!.State, await stateOf()]).toEqual(['pending', 'pending']);
      expect(await one.failure('DeleteNatGateway', { NatGatewayId })).toBe(
        `IncorrectState: The Nat Gateway ${NatGatewayId} is pending`,
      );
      await clock.advance(90_000);
      expect(await stateOf()).toBe('available');
      expect(await one.call('DeleteNatGateway', { NatGatewayId })).toEqual({ NatGatewayId });
      expect(await stateOf()).toBe('deleting');
      expect(await one.failure('DeleteNatGateway', { NatGatewayId })).toContain('NatGatewayNotFound');
      await one.call('DeleteSubnet', { SubnetId });
      await clock.advance(60_000);
      expect(await stateOf()).toBe('deleted');
      await clock.advance(3_600_000);
      expect(await stateOf()).toBe('none');
      const service = await emulator.kernel.service('networks');
      const { natGateways: stored } = service.state(String(account - 1), 'eu-west-1') as NetworkState;
      expect(stored.size).toBe(1);
      await one.call('CreateNatGateway', { SubnetId: await subnetOf(one, await vpcOf(one)) });
      expect(stored.size).toBe(1);
    } finally {
      clock.resume();
    }
  });
});
