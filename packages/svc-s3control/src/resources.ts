import {
  type AnyResourceType,
  type Collection,
  type DeepReadonly,
  defineResource,
  type LocatedState,
  type Place,
  parseArn,
  partitionOf,
  type ResourceAddress,
  type StateFinder,
  taggedRecord,
} from '@emu/core/service';
import type { Tag } from '@emu/service-types/s3control';
import { asString } from '@emu/wire';
import type { GrantRecord, InstanceRecord, LocationRecord } from './access-grants/records.ts';
import type { ObjectLambdaRecord } from './access-points/object-lambda-records.ts';
import { globalRegionOf } from './global-region.ts';
import type { JobRecord } from './jobs/records.ts';
import type { AsyncRequestRecord, MultiRegionRecord } from './multi-region/records.ts';
import type { OutpostsBucketRecord } from './outposts/records.ts';
import type { AccessPointRecord } from './records.ts';
import { DEFAULT_DASHBOARD, type StorageLensGroupRecord, type StorageLensRecord } from './storage-lens/records.ts';
import { tagging } from './tags.ts';

/** S3 Control state of an account in a region, for resource lookup. */
export interface S3ControlRecords {
  readonly region: string;
  readonly accessPoints: Collection<AccessPointRecord>;
  readonly objectLambdas: Collection<ObjectLambdaRecord>;
  readonly outpostsBuckets: Collection<OutpostsBucketRecord>;
  readonly multiRegion: {
    readonly points: Collection<MultiRegionRecord>;
    byAlias(alias: string): DeepReadonly<MultiRegionRecord> | undefined;
    readonly requests: Collection<AsyncRequestRecord>;
  };
  readonly jobs: { readonly records: Collection<JobRecord> };
  readonly accessGrantsInstances: Collection<InstanceRecord>;
  readonly accessGrantsLocations: Collection<LocationRecord>;
  readonly accessGrants: Collection<GrantRecord>;
  readonly storageLens: Collection<StorageLensRecord>;
  readonly storageLensGroups: Collection<StorageLensGroupRecord>;
}

type Input = Readonly<Record<string, unknown>>;

/** Name of the single S3 Access Grants instance of an account in a region. */
export const INSTANCE = 'default';

/** Returns the last part of an ARN, which requests may use in place of a name; names are returned unchanged. */
export function resourceName(value: string): string {
  return parseArn(value) ? value.slice(value.lastIndexOf('/') + 1) : value;
}

/** Whether an access point belongs to a directory bucket. */
export const isOfDirectory = (name: string): boolean => name.endsWith('--xa-s3');

/** Whether an operation belongs to S3 Access Grants, whose instances other accounts may use. */
export const isAccessGrants = (operation: string): boolean =>
  operation.includes('AccessGrant') || operation === 'GetDataAccess';

/** Resource types that inputs call `Name`, by parts of operation names; others concern access points. */
type NamedKind = 'ObjectLambda' | 'StorageLensGroup' | 'MultiRegion';

/** Returns the name in the input of an operation on a resource kind; undefined for other operations. */
function nameIn({ Name: name }: Input, operation: string, kind: NamedKind | undefined): string | undefined {
  if (typeof name !== 'string' || /ObjectLambda|StorageLensGroup|MultiRegion/.exec(operation)?.[0] !== kind)
    return undefined;
  return resourceName(name);
}

/** Returns the location of an S3 Access Grants instance: the account in the request. */
const instancePlace = ({ AccountId: account }: Input, { accountId, region }: Place): Place => ({
  accountId: asString(account) ?? accountId,
  region,
});

/** Returns the state for global resources of an account. */
function locateGlobally<Key>(
  states: StateFinder<S3ControlRecords>,
  { place }: ResourceAddress<Key>,
): LocatedState<S3ControlRecords> | undefined {
  const state = states.existingState(place.accountId, globalRegionOf(partitionOf(place.region)));
  return state && { state, place };
}

const tagsOf = (record: { readonly tags?: readonly DeepReadonly<Tag>[] } | undefined) => tagging.record(record?.tags);
const namesOf = (records: Iterable<{ readonly name: string }>) => [...records].map(({ name }) => ({ name }));
const idsOf = (records: Iterable<{ readonly id: string }>) => [...records].map(({ id }) => ({ id }));

/**
 * Access points of general purpose buckets.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */
export const accessPointType = defineResource({
  name: 'accesspoint',
  service: 's3',
  scope: 'region',
  format: 'accesspoint/{name}',
  cloudFormation: 'AWS::S3::AccessPoint',
  arnMembers: ['ResourceArn'],
  identify(input, place, operation) {
    const name = nameIn(input, operation, undefined);
    return name === undefined || isOfDirectory(name) ? undefined : { key: { name }, place };
  },
  find: ({ accessPoints }: S3ControlRecords, { name }) =>
    !isOfDirectory(name) && accessPoints.has(name) ? { name } : undefined,
  list: ({ accessPoints }) => namesOf(accessPoints.values()).filter(({ name }) => !isOfDirectory(name)),
  tagged: { tagging, find: ({ accessPoints }, { name }) => taggedRecord(accessPoints, name) },
  policy: ({ accessPoints }, { name }) => accessPoints.get(name)?.policy,
});

/**
 * Access points of directory buckets.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3express.html
 */
export const directoryAccessPointType = defineResource({
  name: 'accesspoint',
  service: 's3express',
  scope: 'region',
  format: 'accesspoint/{name}',
  cloudFormation: 'AWS::S3Express::AccessPoint',
  arnMembers: ['ResourceArn'],
  identify(input, place, operation) {
    const name = nameIn(input, operation, undefined);
    return name !== undefined && isOfDirectory(name) ? { key: { name }, place } : undefined;
  },
  find: ({ accessPoints }: S3ControlRecords, { name }) =>
    isOfDirectory(name) && accessPoints.has(name) ? { name } : undefined,
  list: ({ accessPoints }) => namesOf(accessPoints.values()).filter(({ name }) => isOfDirectory(name)),
  tagged: { tagging, find: ({ accessPoints }, { name }) => taggedRecord(accessPoints, name) },
  policy: ({ accessPoints }, { name }) => accessPoints.get(name)?.policy,
});

/** Returns the ARN of an access point of a general purpose or directory bucket. */
export const accessPointArn = (name: string, place: Place): string =>
  (isOfDirectory(name) ? directoryAccessPointType : accessPointType).arn({ name }, place);

/** Object Lambda access points. */
export const objectLambdaType = defineResource({
  name: 'objectlambdaaccesspoint',
  service: 's3-object-lambda',
  scope: 'region',
  format: 'accesspoint/{name}',
  cloudFormation: 'AWS::S3ObjectLambda::AccessPoint',
  identify(input, place, operation) {
    const name = nameIn(input, operation, 'ObjectLambda');
    return name === undefined ? undefined : { key: { name }, place };
  },
  records: ({ objectLambdas }: S3ControlRecords) => objectLambdas,
  list: ({ objectLambdas }) => namesOf(objectLambdas.values()),
  policy: ({ objectLambdas }, { name }) => objectLambdas.get(name)?.policy,
});

/** Multi-Region Access Points, whose ARNs contain aliases; before lookup, a name takes the alias's place. */
export const multiRegionType = defineResource({
  name: 'multiregionaccesspoint',
  service: 's3',
  scope: 'account',
  format: 'accesspoint/{alias}',
  cloudFormation: 'AWS::S3::MultiRegionAccessPoint',
  identify(input, place, operation) {
    const mrap = asString(input.Mrap);
    const details = input.Details as { Name?: unknown } | undefined;
    const alias =
      mrap === undefined ? nameIn({ Name: input.Name ?? details?.Name }, operation, 'MultiRegion') : resourceName(mrap);
    return alias === undefined ? undefined : { key: { alias }, place };
  },
  locate: locateGlobally,
  find({ multiRegion }: S3ControlRecords, { alias }) {
    const point = multiRegion.byAlias(alias) ?? multiRegion.points.get(alias);
    return point && { alias: point.alias };
  },
  list: ({ multiRegion }) => [...multiRegion.points.values()].map(({ alias }) => ({ alias })),
  policy: ({ multiRegion }, { alias }) => multiRegion.byAlias(alias)?.established,
});

/** Asynchronous requests for Multi-Region Access Points. AWS does not list them; the requester has the ARN. */
export const multiRegionRequestType = defineResource({
  name: 'multiregionaccesspointrequestarn',
  service: 's3',
  scope: 'region',
  format: 'async-request/mrap/{operation}/{token}',
  arnMembers: ['RequestTokenARN'],
  locate: locateGlobally,
  find({ multiRegion }: S3ControlRecords, key) {
    const ending = `:async-request/mrap/${key.operation}/${key.token}`;
    return [...multiRegion.requests.keys()].some((arn) => arn.endsWith(ending)) ? key : undefined;
  },
});

/** Jobs of S3 Batch Operations. */
export const jobType = defineResource({
  name: 'job',
  service: 's3',
  scope: 'region',
  format: 'job/{id}',
  identify(input, place) {
    const id = asString(input.JobId);
    return id === undefined ? undefined : { key: { id }, place };
  },
  records: ({ jobs }: S3ControlRecords) => jobs.records,
  list: ({ jobs }) => idsOf(jobs.records.values()),
  tags: ({ jobs }, { id }) => tagsOf(jobs.records.get(id)),
});

/** Dashboards of S3 Storage Lens; before its first change, the account's default dashboard is in the global region. */
export const storageLensType = defineResource({
  name: 'storagelensconfiguration',
  service: 's3',
  scope: 'region',
  format: 'storage-lens/{id}',
  cloudFormation: 'AWS::S3::StorageLens',
  identify(input, place) {
    const id = asString(input.ConfigId);
    return id === undefined ? undefined : { key: { id }, place };
  },
  find: (records: S3ControlRecords, { id }) =>
    records.storageLens.has(id) || (id === DEFAULT_DASHBOARD && isGlobal(records)) ? { id } : undefined,
  list: (records) => [
    ...(isGlobal(records) && !records.storageLens.has(DEFAULT_DASHBOARD) ? [{ id: DEFAULT_DASHBOARD }] : []),
    ...idsOf(records.storageLens.values()),
  ],
  tags: ({ storageLens }, { id }) => tagsOf(storageLens.get(id)),
});

const isGlobal = ({ region }: S3ControlRecords): boolean => region === globalRegionOf(partitionOf(region));

/** Groups of S3 Storage Lens. */
export const storageLensGroupType = defineResource({
  name: 'storagelensgroup',
  service: 's3',
  scope: 'region',
  format: 'storage-lens-group/{name}',
  cloudFormation: 'AWS::S3::StorageLensGroup',
  arnMembers: ['ResourceArn'],
  identify(input, place, operation) {
    const name = nameIn(input, operation, 'StorageLensGroup');
    return name === undefined ? undefined : { key: { name }, place };
  },
  records: ({ storageLensGroups }: S3ControlRecords) => storageLensGroups,
  list: ({ storageLensGroups }) => namesOf(storageLensGroups.values()),
  tagged: { tagging, find: ({ storageLensGroups }, { name }) => taggedRecord(storageLensGroups, name) },
});

/** S3 Access Grants instances: one per account and region. Its policy also applies to its locations and grants. */
export const accessGrantsInstanceType = defineResource({
  name: 'accessgrantsinstance',
  service: 's3',
  scope: 'region',
  format: 'access-grants/default',
  cloudFormation: 'AWS::S3::AccessGrantsInstance',
  arnMembers: ['ResourceArn'],
  identify: (input, place, operation) =>
    isAccessGrants(operation) && operation !== 'ListAccessGrantsInstances'
      ? { key: {}, place: instancePlace(input, place) }
      : undefined,
  find: ({ accessGrantsInstances }: S3ControlRecords) => (accessGrantsInstances.has(INSTANCE) ? {} : undefined),
  list: ({ accessGrantsInstances }) => [...accessGrantsInstances.keys()].map(() => ({})),
  tagged: { tagging, find: ({ accessGrantsInstances }) => taggedRecord(accessGrantsInstances, INSTANCE) },
  policy: ({ accessGrantsInstances }) => accessGrantsInstances.get(INSTANCE)?.policy?.text,
});

/** Registered locations of an S3 Access Grants instance. */
export const accessGrantsLocationType = defineResource({
  name: 'accessgrantslocation',
  service: 's3',
  scope: 'region',
  format: 'access-grants/default/location/{id}',
  cloudFormation: 'AWS::S3::AccessGrantsLocation',
  arnMembers: ['ResourceArn'],
  identify(input, place) {
    const id = asString(input.AccessGrantsLocationId);
    return id === undefined ? undefined : { key: { id }, place: instancePlace(input, place) };
  },
  records: ({ accessGrantsLocations }: S3ControlRecords) => accessGrantsLocations,
  list: ({ accessGrantsLocations }) => idsOf(accessGrantsLocations.values()),
  tagged: { tagging, find: ({ accessGrantsLocations }, { id }) => taggedRecord(accessGrantsLocations, id) },
  policy: ({ accessGrantsInstances }) => accessGrantsInstances.get(INSTANCE)?.policy?.text,
});

/** Grants of locations or parts of them to identities. */
export const accessGrantType = defineResource({
  name: 'accessgrant',
  service: 's3',
  scope: 'region',
  format: 'access-grants/default/grant/{id}',
  cloudFormation: 'AWS::S3::AccessGrant',
  arnMembers: ['ResourceArn'],
  identify(input, place) {
    const id = asString(input.AccessGrantId);
    return id === undefined ? undefined : { key: { id }, place: instancePlace(input, place) };
  },
  records: ({ accessGrants }: S3ControlRecords) => accessGrants,
  list: ({ accessGrants }) => idsOf(accessGrants.values()),
  tagged: { tagging, find: ({ accessGrants }, { id }) => taggedRecord(accessGrants, id) },
  policy: ({ accessGrantsInstances }) => accessGrantsInstances.get(INSTANCE)?.policy?.text,
});

/**
 * Buckets on Outposts, which requests name with their Outpost's id, possibly in a header.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3onoutposts.html
 */
export const outpostsBucketType = defineResource({
  name: 'bucket',
  service: 's3-outposts',
  scope: 'region',
  format: 'outpost/{outpostId}/bucket/{name}',
  cloudFormation: 'AWS::S3Outposts::Bucket',
  arnMembers: ['Bucket'],
  identify({ Bucket: bucket, OutpostId: outpost }, place) {
    const [name, outpostId] = [asString(bucket), asString(outpost)];
    if (name === undefined || outpostId === undefined || parseArn(name)) return undefined;
    return { key: { outpostId, name }, place };
  },
  find: ({ outpostsBuckets }: S3ControlRecords, key) =>
    outpostsBuckets.has(`${key.outpostId}/${key.name}`) ? key : undefined,
  list: ({ outpostsBuckets }) => [...outpostsBuckets.values()].map(({ outpostId, name }) => ({ outpostId, name })),
  tags: ({ outpostsBuckets }, { outpostId, name }) => tagsOf(outpostsBuckets.get(`${outpostId}/${name}`)),
  policy: ({ outpostsBuckets }, { outpostId, name }) => outpostsBuckets.get(`${outpostId}/${name}`)?.policy,
});

/** All types, most specific first. */
export const resources: readonly AnyResourceType[] = [
  multiRegionRequestType,
  multiRegionType,
  jobType,
  storageLensType,
  storageLensGroupType,
  accessGrantType,
  accessGrantsLocationType,
  accessGrantsInstanceType,
  objectLambdaType,
  directoryAccessPointType,
  accessPointType,
  outpostsBucketType,
];
