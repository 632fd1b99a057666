import { type Capability, defineCapability } from '../base/capability.ts';
import type { TagRecord } from '../resources/tagging.ts';

/** A resource of any service. */
export interface DirectoryResource {
  readonly arn: string;
  /** emu's name of the service that keeps it. */
  readonly service: string;
  /** Name of its type in AWS's service authorization reference, e.g. `queue`. */
  readonly type: string;
  /** E.g. `AWS::SQS::Queue`; undefined where CloudFormation has no such type. */
  readonly cloudFormation: string | undefined;
  /** The parts of its ARN by their names, e.g. `{ name: 'orders' }`. */
  readonly key: Readonly<Record<string, string | undefined>>;
  /** Its own tags; undefined where it has none that the tagging API knows. */
  readonly tags: TagRecord | undefined;
}

/** How a resource's own service changes its tags. */
export interface ResourceTagging {
  /** emu's name of the service. */
  readonly service: string;
  /** The operation and its input, as JSON, that adds tags. */
  tag(tags: TagRecord): { readonly operation: string; readonly input: unknown };
  /** The operation and its input, as JSON, that takes tags away. */
  untag(keys: readonly string[]): { readonly operation: string; readonly input: unknown };
}

/** Which resources are asked for. */
export interface ResourceSelection {
  /** Whether only those that have tags. */
  readonly tagged?: boolean;
  /** Only those of these types of CloudFormation. */
  readonly cloudFormation?: ReadonlySet<string>;
}

/** The resources of all services, by the types that they declare. Loads no service to look for what it cannot hold. */
export interface ResourceDirectory {
  /**
   * Resources of an account in a region, in no particular order. Those without a region are in the region of the partition
   * that global services have.
   */
  list(accountId: string, region: string, selection?: ResourceSelection): Iterable<DirectoryResource>;
  /** Regions in which an account may have resources, in order. */
  regions(accountId: string): string[];
  /** The resource of an ARN; undefined where it does not exist, or in another account or region. */
  find(arn: string, accountId: string, region: string): DirectoryResource | undefined;
  /**
   * How the resource of an ARN is tagged, whether it exists or not.
   * @returns undefined where no service has such resources or none that are tagged
   */
  tagging(arn: string, accountId: string, region: string): Promise<ResourceTagging | undefined>;
}

/** Resources of the services. Every emulator has it. */
export const resourceDirectory: Capability<ResourceDirectory> = defineCapability('resources');
