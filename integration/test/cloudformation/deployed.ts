import {
  CloudFormation,
  type DescribeStackResourceOutput,
  type StackResourceDrift,
} from '@aws-sdk/client-cloudformation';
import { sameValue } from '@emu/core/providers';
import type { ResourceProvider, ResourceValues, ServiceManifest } from '@emu/core/service';
import type { TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as tagging } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { expect } from 'vitest';

/** Differences of a resource deployed by a stack or Cloud Control, each with the reason. */
export interface Deployed {
  /** Reason why the tagging API does not return it. */
  readonly untold?: string;
  /**
   * Error of a stack that changes a property of `other`, if AWS rejects the change instead of replacing the resource.
   */
  readonly refuses?: string;
  /** Properties reported by drift detection, each with the reason. */
  readonly drifts?: Readonly<Record<string, string>>;
  /** Reason why it is not created through Cloud Control. */
  readonly uncontrolled?: string;
}

/** Services of a case, and those that deploy them. */
export const withDeployment = (manifests: readonly ServiceManifest[]): ServiceManifest[] => {
  const names = new Set(manifests.map(({ name }) => name));
  return [...manifests, ...[cloudcontrol, cloudformation, tagging].filter(({ name }) => !names.has(name))];
};

const call = async (emulator: TestEmulator, service: string, operation: string, input: object) =>
  (await emulator.kernel.callJson(service, operation, input as never, {
    endpoint: emulator.clientConfig().endpoint,
  })) as Record<string, unknown>;

/** A stack with one resource. */
export class StackOfOne {
  private readonly cfn: CloudFormation;
  private physicalId: string | undefined;
  private applied: ResourceValues | undefined;

  constructor(
    private readonly emulator: TestEmulator,
    private readonly name: string,
    private readonly provider: ResourceProvider,
    private readonly deployed: Deployed,
  ) {
    this.cfn = new CloudFormation({ ...emulator.clientConfig(), maxAttempts: 1 });
  }

  /** Makes a rejected change, after which the stack is unchanged. */
  async refuse(properties: ResourceValues, reason: string): Promise<void> {
    const { applied } = this;
    await expect(this.deploy(properties)).rejects.toThrow(reason);
    expect((await this.cfn.describeStacks({ StackName: this.name })).Stacks![0]!.StackStatus).toBe(
      'UPDATE_ROLLBACK_COMPLETE',
    );
    this.applied = applied;
  }

  /** Updates the resource to some properties and compares them. */
  async deploy(properties: ResourceValues): Promise<void> {
    const { cfn, name, provider, applied, physicalId } = this;
    const input = {
      StackName: name,
      TemplateBody: JSON.stringify({ Resources: { Thing: { Type: provider.typeName, Properties: properties } } }),
      Capabilities: ['CAPABILITY_NAMED_IAM' as const],
      Tags: [{ Key: 'stack', Value: name }],
    };
    await (applied ? cfn.updateStack(input) : cfn.createStack(input));
    await this.settled(applied ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE');
    const detail = (await cfn.describeStackResource({ StackName: name, LogicalResourceId: 'Thing' }))
      .StackResourceDetail as NonNullable<DescribeStackResourceOutput['StackResourceDetail']>;
    this.physicalId = detail.PhysicalResourceId!;
    if (applied) {
      const { facts } = provider;
      const changed = Object.keys(facts.properties).filter((one) => !sameValue(applied[one], properties[one]));
      const replaced = !provider.update || changed.some((one) => facts.properties[one]!.replacement === 'yes');
      if (replaced) expect(this.physicalId).not.toBe(physicalId);
      else if (!facts.nestedReplacement && !provider.replaces) expect(this.physicalId).toBe(physicalId);
    }
    this.applied = properties;
    await this.compare();
    await this.find();
  }

  private async compare(): Promise<void> {
    const { StackResourceDrift: drift } = await this.cfn.detectStackResourceDrift({
      StackName: this.name,
      LogicalResourceId: 'Thing',
    });
    const { drifts = {} } = this.deployed;
    const differences = (drift as StackResourceDrift).PropertyDifferences?.filter(
      ({ PropertyPath }) => !Object.hasOwn(drifts, PropertyPath!.split('/')[1]!),
    );
    expect([this.provider.typeName, differences, drift!.DriftStatusReason]).toEqual([
      this.provider.typeName,
      [],
      undefined,
    ]);
  }

  /** Checks that the tagging API returns the stack's tag. */
  private async find(): Promise<void> {
    const { facts, handles } = this.provider;
    if (!facts.tags || !handles.includes(facts.tags.property) || this.deployed.untold) return;
    const found = await call(this.emulator, 'resourcegroupstaggingapi', 'GetResources', {
      TagFilters: [{ Key: 'stack', Values: [this.name] }],
    });
    const arns = (found.ResourceTagMappingList as { ResourceARN: string }[]).map(({ ResourceARN }) => ResourceARN);
    // The stack has its own tags as well.
    const own = arns.filter((arn) => !arn.includes(':cloudformation:'));
    const { typeName } = this.provider;
    expect([typeName, own]).not.toEqual([typeName, []]);
    expect([typeName, own]).toEqual([typeName, [...new Set(own)]]);
  }

  /** Deletes the stack and its resource. */
  async delete(): Promise<void> {
    const { Stacks } = await this.cfn.describeStacks({ StackName: this.name });
    await this.cfn.deleteStack({ StackName: this.name });
    await this.settled('DELETE_COMPLETE', Stacks![0]!.StackId!);
  }

  private async settled(wanted: string, StackName = this.name): Promise<void> {
    for (;;) {
      const status = (await this.cfn.describeStacks({ StackName })).Stacks![0]!.StackStatus!;
      if (/_IN_PROGRESS$/.test(status)) {
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      if (status === wanted) return;
      const { StackEvents = [] } = await this.cfn.describeStackEvents({ StackName });
      const reasons = StackEvents.map(({ LogicalResourceId, ResourceStatus, ResourceStatusReason }) =>
        [LogicalResourceId, ResourceStatus, ResourceStatusReason].join(' '),
      );
      throw new Error(`${this.provider.typeName} is ${status}:\n${reasons.join('\n')}`);
    }
  }
}

/** Creates, reads, updates, lists and deletes a resource through Cloud Control. */
export async function throughCloudControl(
  emulator: TestEmulator,
  { typeName: TypeName, facts, list, listedBy, update }: ResourceProvider,
  first: ResourceValues,
  second: ResourceValues,
  { uncontrolled }: Deployed,
): Promise<void> {
  if (uncontrolled) return;
  const send = (operation: string, input: object) => call(emulator, 'cloudcontrol', operation, { TypeName, ...input });
  const done = async (operation: string, input: object): Promise<string> => {
    let { ProgressEvent: event } = (await send(operation, input)) as { ProgressEvent: Record<string, string> };
    while (/^(PENDING|IN_PROGRESS)$/.test(event.OperationStatus!)) {
      await new Promise((resolve) => setImmediate(resolve));
      const status = await call(emulator, 'cloudcontrol', 'GetResourceRequestStatus', {
        RequestToken: event.RequestToken,
      });
      event = status.ProgressEvent as Record<string, string>;
    }
    expect([TypeName, operation, event.OperationStatus, event.StatusMessage]).toEqual([
      TypeName,
      operation,
      'SUCCESS',
      undefined,
    ]);
    return event.Identifier!;
  };
  const Identifier = await done('CreateResource', { DesiredState: JSON.stringify(first) });
  const read = async (): Promise<ResourceValues> => {
    const { ResourceDescription } = (await send('GetResource', { Identifier })) as unknown as {
      ResourceDescription: { Properties: string };
    };
    return JSON.parse(ResourceDescription.Properties) as ResourceValues;
  };
  const before = await read();
  for (const part of facts.primaryIdentifier)
    if (first[part] !== undefined) expect([TypeName, part, before[part]]).toEqual([TypeName, part, first[part]]);
  if (list) {
    const listed: string[] = [];
    // Child resources are listed with a model that names the parent.
    const ResourceModel = listedBy && JSON.stringify(Object.fromEntries(listedBy.map((name) => [name, before[name]])));
    let NextToken: string | undefined;
    do {
      const page = await send('ListResources', {
        ...(ResourceModel !== undefined && { ResourceModel }),
        ...(NextToken !== undefined && { NextToken }),
      });
      listed.push(...(page.ResourceDescriptions as { Identifier: string }[]).map((one) => one.Identifier));
      NextToken = page.NextToken as string | undefined;
    } while (NextToken !== undefined);
    expect(listed).toContain(Identifier);
  }
  // Write-only properties must be given again.
  const written = (name: string) =>
    facts.properties[name]?.replacement !== 'yes' &&
    (facts.writeOnly?.some((path) => path.split('.')[0] === name) ?? false);
  const patch = Object.keys(second)
    .filter((name) => second[name] !== undefined && (written(name) || !sameValue(first[name], second[name])))
    .map((name) => ({ op: 'add', path: `/${name}`, value: second[name] }));
  if (update && patch.length) await done('UpdateResource', { Identifier, PatchDocument: JSON.stringify(patch) });
  await done('DeleteResource', { Identifier });
}
