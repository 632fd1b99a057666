import type { StartQueryRequest } from '@emu/service-types/logs';
import { accessDenied, invalidParameter, notFound } from '../../errors.ts';
import type { LogsRegistry, RegisteredGroup } from '../../registry.ts';
import { groupAddress, groupType } from '../../resources.ts';
import { lengthOf } from '../engine/periods.ts';
import { QueryError } from '../language/errors.ts';
import type { Bound, Source } from '../language/syntax.ts';

/** Maximum number of log groups of a query: named in the request, and selected by `SOURCE`. */
const MAX_GROUPS = 50;
const MAX_SELECTED = 10_000;
const MAX_PREFIXES = 5;
const MAX_ACCOUNTS = 20;

/** Caller of a query. */
export interface QueryCaller {
  readonly state: LogsRegistry;
  readonly requestId: string;
}

type Naming = Pick<StartQueryRequest, 'logGroupName' | 'logGroupNames' | 'logGroupIdentifiers'>;

/**
 * Returns the log groups named in a request or selected by its query's `SOURCE`.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`; QueryError for a malformed `SOURCE`
 */
export function selectGroups(input: Naming, source: Source | null, caller: QueryCaller): RegisteredGroup[] {
  const { logGroupName, logGroupNames, logGroupIdentifiers } = input;
  const given = [logGroupName === undefined ? undefined : [logGroupName], logGroupNames, logGroupIdentifiers];
  const named = given.filter((names) => names !== undefined);
  if (named.length > 1 || (named.length && source))
    throw invalidParameter(
      'Exactly one of logGroupName, logGroupNames, logGroupIdentifiers or a SOURCE command must specify the log groups.',
    );
  const identifiers = named[0] ?? (source?.criteria === null ? source.names : undefined);
  if (!identifiers && !source?.criteria)
    throw invalidParameter(
      'Exactly one of logGroupName, logGroupNames, logGroupIdentifiers or a SOURCE command must specify the log groups.',
    );
  const targets = identifiers
    ? [...new Set(identifiers)].map((identifier) => requireGroup(identifier, caller))
    : selected(source!.criteria!, caller);
  const most = identifiers ? MAX_GROUPS : MAX_SELECTED;
  if (!targets.length || targets.length > most)
    throw invalidParameter(`A query needs between 1 and ${most} log groups, of which ${targets.length} were found.`);
  for (const { group } of targets)
    if (group.record.class === 'DELIVERY')
      throw invalidParameter('CloudWatch Logs Insights does not support log groups of the DELIVERY log class.');
  return targets;
}

/** @throws AwsError `ResourceNotFoundException` */
function requireGroup(identifier: string, { state: own, requestId }: QueryCaller): RegisteredGroup {
  const address = groupAddress(identifier, own);
  if (!address) throw invalidParameter('The specified log group identifier is not valid.');
  const { accountId, region } = address.place;
  if (isRefused(accountId, own))
    throw accessDenied(
      `The account ${own.accountId} is not authorized to query the log groups of account ${accountId}.`,
    );
  const state = stateOf(own, accountId, region);
  const group = region === own.region ? state?.groups.find(address.key.name) : undefined;
  if (state && group) return { state, group };
  // AWS's front end adds to the message.
  const details = `(Service: AWSLogs; Status Code: 400; Error Code: ResourceNotFoundException; Request ID: ${requestId}; Proxy: null)`;
  throw notFound(`Log group '${address.key.name}' does not exist for account ID '${accountId}' ${details}`);
}

/** Whether groups of an account may not be queried: of another one, if policies are enforced, as they allow none. */
const isRefused = (accountId: string, own: LogsRegistry): boolean => accountId !== own.accountId && own.enforces;

/** Returns the state of an account and region: the caller's or another one. */
const stateOf = (own: LogsRegistry, accountId: string, region: string): LogsRegistry | undefined =>
  accountId === own.accountId && region === own.region ? own : own.service.existingState(accountId, region);

/** Returns the groups selected by the criteria of `logGroups(…)`. */
function selected(criteria: NonNullable<Source['criteria']>, { state: own }: QueryCaller): RegisteredGroup[] {
  const valuesOf = (name: string, most: number): string[] | undefined => {
    const found = criteria.find((each) => each.name === name);
    if (found && found.values.length > most)
      throw new QueryError(`${name} may have at most ${most} values`, found.offset, found.offset + name.length);
    return found?.values;
  };
  const unknown = criteria.find(({ name }) => !['namePrefix', 'accountIdentifiers', 'class'].includes(name));
  if (unknown)
    throw new QueryError(
      `Unknown keyword ${unknown.name} in logGroups`,
      unknown.offset,
      unknown.offset + unknown.name.length,
    );
  const prefixes = valuesOf('namePrefix', MAX_PREFIXES) ?? [''];
  const classes = valuesOf('class', 1) ?? ['STANDARD'];
  const accounts = valuesOf('accountIdentifiers', MAX_ACCOUNTS) ?? [own.accountId];
  return accounts.flatMap((accountId) => {
    const state = isRefused(accountId, own) ? undefined : stateOf(own, accountId, own.region);
    const groups = state?.groups.list() ?? [];
    return groups
      .filter(
        ({ name, record }) => classes.includes(record.class) && prefixes.some((prefix) => name.startsWith(prefix)),
      )
      .map((group) => ({ state: state!, group }));
  });
}

/** Returns the identifier of a group in a query: the ARN for groups of other accounts. */
export const identifierOf = ({ state, group }: RegisteredGroup, own: LogsRegistry): string =>
  state.accountId === own.accountId ? group.name : groupType.arn({ name: group.name }, state);

/** Parses a time bound of `SOURCE`. Returns epoch milliseconds. */
export function boundTime(bound: Bound, now: number): number {
  if (bound.kind === 'now') return now;
  return bound.kind === 'at' ? bound.millis : now - lengthOf(bound);
}
