import { descriptorsOf } from '@emu/core/descriptors';
import { Paging, Tagging, tagsAsList } from '@emu/core/service';
import { type AwsError, awsError } from '@emu/wire';
import { model, pagination } from './model.ts';
import type { NetworkState } from './state.ts';
import type { NetworkOperations, Tag, TagSpecification } from './types.ts';

/** `InvalidParameterValue`. */
export const invalid = (message: string): AwsError => awsError('InvalidParameterValue', message);
/** `InvalidParameterCombination`. */
const combination = (message: string): AwsError => awsError('InvalidParameterCombination', message);

/** The errors for unknown and malformed ids of a resource, e.g. `InvalidVpcID.NotFound`. */
export const idErrors = (code: string, name: string) => ({
  missing: (id: string, _ctx: unknown, others: readonly string[]) =>
    awsError(
      `${code}.NotFound`,
      others.length > 0
        ? `The ${name} IDs '${[id, ...others].join(', ')}' do not exist`
        : `The ${name} ID '${id}' does not exist`,
    ),
  malformed: (id: string) => awsError(`${code}.Malformed`, `Invalid id: "${id}"`),
});

/** `DependencyViolation`. */
export const dependency = (name: string, id: string): AwsError =>
  awsError('DependencyViolation', `The ${name} '${id}' has dependencies and cannot be deleted.`);

const tagging = new Tagging({
  form: tagsAsList('Key', 'Value'),
  refuse: ({ code }) => invalid(`Tag problem: ${code}`),
});

/** Declares a resource of the service. */
export const descriptor = descriptorsOf<NetworkState>()({
  model,
  paging: new Paging<NetworkOperations, typeof pagination>(pagination, {
    defaultLimit: 1000,
    invalidToken: () => invalid('Invalid value for NextToken'),
  }),
  shared: ['DryRun', 'TagSpecifications'],
  around({ input }, run) {
    if ((input as { DryRun?: boolean }).DryRun)
      throw awsError('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', { status: 412 });
    return run();
  },
  tags: {
    member: 'Tags',
    atCreation(input, resource) {
      const { TagSpecifications: specifications = [] } = input as { TagSpecifications?: TagSpecification[] };
      for (const { ResourceType } of specifications)
        if (ResourceType !== resource)
          throw invalid(`'${ResourceType}' is not a valid taggable resource type for this operation.`);
      return tagging.merge(undefined, specifications.flatMap(({ Tags = [] }) => Tags) as Required<Tag>[] as never);
    },
    record: (tags) => tagging.record(tags as never) ?? {},
  },
  filters: {
    member: 'Filters',
    mostValues: 200,
    unknown: (name) => invalid(`The filter '${name}' is invalid`),
    tooMany: () =>
      awsError('FilterLimitExceeded', 'The maximum number of filter values specified on a single call is 200'),
  },
  idsWithLimit: (ids, limit) => combination(`The parameter ${ids} cannot be used with the parameter ${limit}`),
  timed: ({ region }) => region === 'eu-west-1',
});
