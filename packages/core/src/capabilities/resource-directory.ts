import { type Capability, defineCapability } from '../base/capability.ts';
import type { TagRecord } from '../resources/tagging.ts';

/** A resource of any service. */
export interface DirectoryResource {
  readonly arn: string;
  /** emu's name of its service. */
  readonly service: string;
  /** Name of its type in AWS's service authorization reference, e.g. `queue`. */
  readonly type: string;
  /** E.g. `AWS::SQS::Queue`; undefined if CloudFormation lacks the type. */
  readonly cloudFormation: string | undefined;
  /** The parts of its ARN by their names, e.g. `{ name: 'orders' }`. */
  readonly key: Readonly<Record<string, string | undefined>>;
  /** Its own tags; undefined if the tagging API omits its type. */
  readonly tags: TagRecord | undefined;
}

/** The calls of a resource's own service that change its tags. */
export interface ResourceTagging {
  /** emu's name of the service. */
  readonly service: string;
  /** Returns the operation that adds tags and its input, as JSON. */
  tag(tags: TagRecord): { readonly operation: string; readonly input: unknown };
  /** Returns the operation that removes tags and its input, as JSON. */
  untag(keys: readonly string[]): { readonly operation: string; readonly input: unknown };
}

/** Filter of resources. */
export interface ResourceSelection {
  /** Whether only resources with tags match. */
  readonly tagged?: boolean;
  /** CloudFormation's types of the resources; all by default. */
  readonly cloudFormation?: ReadonlySet<string>;
}

/** The resources of all services, by their declared types. It loads no service that cannot contain a match. */
export interface ResourceDirectory {
  /**
   * Returns the resources of an account in a region, in no particular order. Resources without a region are in the
   * region of global services of the partition.
   */
  list(accountId: string, region: string, selection?: ResourceSelection): Iterable<DirectoryResource>;
  /** Returns the regions in which an account may have resources, in order. */
  regions(accountId: string): string[];
  /** Returns the resource of an ARN; undefined if it does not exist, or is in another account or region. */
  find(arn: string, accountId: string, region: string): DirectoryResource | undefined;
  /**
   * Returns the calls that tag the resource of an ARN, known or unknown.
   * @returns undefined if no service has such resources with tags
   */
  tagging(arn: string, accountId: string, region: string): Promise<ResourceTagging | undefined>;
}

/** Resources of the services; in every emulator. */
export const resourceDirectory: Capability<ResourceDirectory> = defineCapability('resources');
