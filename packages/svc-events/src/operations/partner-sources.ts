import { stateInRegion } from '@emu/core/service';
import type { InputOf, OutputOf, PutPartnerEventsResultEntry } from '@emu/service-types/events';
import { sourceArn } from '../arns.ts';
import { take } from '../buses/bus.ts';
import { problemOf } from '../buses/entries.ts';
import type { EventsContext } from '../context.ts';
import { alreadyExists, notFound } from '../errors.ts';
import { compactJson, newEvent } from '../event.ts';
import { paging, withPrefix } from '../paging.ts';
import type { EventsState } from '../state.ts';

/** Milliseconds within which a customer must create a bus for a source: two weeks. */
const PENDING_FOR = 14 * 86_400_000;

const keyOf = (name: string, account: string): string => `${name} ${account}`;
const sourceNotFound = (name: string) => notFound(`Event source ${name} does not exist.`);

/** Accounts to which a partner sends the events of a source. */
const accountsOf = (state: EventsState, name: string) =>
  [...state.partnerSources.values()].filter((source) => source.name === name);

/**
 * Offers a partner's events to an account, which can create a bus for them within two weeks.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreatePartnerEventSource.html
 */
export function CreatePartnerEventSource(
  { Name: name, Account: account }: InputOf<'CreatePartnerEventSource'>,
  ctx: EventsContext,
): OutputOf<'CreatePartnerEventSource'> {
  const { state } = ctx;
  if (state.partnerSources.has(keyOf(name, account))) throw alreadyExists(`Event source ${name}`);
  const customer = ctx.handle.state(account, ctx.region);
  const theirs = customer.eventSources.get(name);
  if (theirs && theirs.createdBy !== ctx.accountId && theirs.state !== 'DELETED')
    throw alreadyExists(`Event source ${name}`);
  const now = ctx.clock.now();
  state.partnerSources.put(keyOf(name, account), { name, account, createdAt: now });
  customer.eventSources.put(name, {
    name,
    createdBy: ctx.accountId,
    state: 'PENDING',
    createdAt: now,
    expiresAt: now + PENDING_FOR,
  });
  return { EventSourceArn: sourceArn(ctx, name) };
}

/**
 * Returns a source as its partner sees it.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribePartnerEventSource.html
 */
export function DescribePartnerEventSource(
  { Name }: InputOf<'DescribePartnerEventSource'>,
  { state }: EventsContext,
): OutputOf<'DescribePartnerEventSource'> {
  if (!accountsOf(state, Name).length) throw sourceNotFound(Name);
  return { Name, Arn: sourceArn(state, Name) };
}

/**
 * Deletes an account's partner event source for the partner. The customer's source becomes DELETED; its bus remains.
 * Succeeds for an unknown source.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeletePartnerEventSource.html
 */
export function DeletePartnerEventSource(
  { Name: name, Account: account }: InputOf<'DeletePartnerEventSource'>,
  ctx: EventsContext,
): OutputOf<'DeletePartnerEventSource'> {
  if (!ctx.state.partnerSources.delete(keyOf(name, account))) return {};
  const customer = stateInRegion({ accountId: account, region: ctx.region }, ctx);
  if (customer?.eventSources.has(name))
    customer.eventSources.update(name, (draft) => {
      draft.state = 'DELETED';
    });
  return {};
}

/**
 * Lists the sources of a partner.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListPartnerEventSources.html
 */
export function ListPartnerEventSources(
  input: InputOf<'ListPartnerEventSources'>,
  { state }: EventsContext,
): OutputOf<'ListPartnerEventSources'> {
  const names = new Set(withPrefix(state.partnerSources.values(), input.NamePrefix).map(({ name }) => name));
  return paging
    .page('ListPartnerEventSources', input, [...names], (name) => name)
    .list((Name) => ({ Name, Arn: sourceArn(state, Name) }));
}

/**
 * Lists the accounts to which a source is offered, with their states.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListPartnerEventSourceAccounts.html
 */
export function ListPartnerEventSourceAccounts(
  input: InputOf<'ListPartnerEventSourceAccounts'>,
  ctx: EventsContext,
): OutputOf<'ListPartnerEventSourceAccounts'> {
  const found = accountsOf(ctx.state, input.EventSourceName);
  if (!found.length) throw sourceNotFound(input.EventSourceName);
  found.sort((a, b) => (a.account < b.account ? -1 : 1));
  const { items, next } = paging.page('ListPartnerEventSourceAccounts', input, found, ({ account }) => account);
  const PartnerEventSourceAccounts = items.map(({ name, account, createdAt }) => {
    const theirs = stateInRegion({ accountId: account, region: ctx.region }, ctx)?.eventSources.get(name);
    return {
      Account: account,
      CreationTime: new Date(createdAt),
      State: theirs?.state ?? 'DELETED',
      ...(theirs?.state === 'PENDING' && { ExpirationTime: new Date(theirs.expiresAt) }),
    };
  });
  return { PartnerEventSourceAccounts, ...next };
}

/**
 * Sends a partner's events to the buses of customers for their sources. Sources without a bus receive none.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutPartnerEvents.html
 */
export async function PutPartnerEvents(
  input: InputOf<'PutPartnerEvents'>,
  ctx: EventsContext,
): Promise<OutputOf<'PutPartnerEvents'>> {
  const pending: (Promise<void> | undefined)[] = [];
  const Entries = input.Entries.map((entry): PutPartnerEventsResultEntry => {
    const problem = problemOf(entry);
    if (problem) return problem;
    const accounts = accountsOf(ctx.state, entry.Source!);
    if (!accounts.length)
      return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: `Event source ${entry.Source} does not exist.` };
    const id = ctx.ids.uuid();
    for (const { account } of accounts) {
      const customer = stateInRegion({ accountId: account, region: ctx.region }, ctx);
      if (customer?.eventSources.get(entry.Source!)?.state !== 'ACTIVE' || !customer.buses.has(entry.Source!)) continue;
      const event = newEvent(customer, {
        id,
        source: entry.Source!,
        detailType: entry.DetailType!,
        time: entry.Time?.getTime() ?? ctx.clock.now(),
        resources: entry.Resources ?? [],
        detail: compactJson(entry.Detail!),
        traceHeader: ctx.traceHeader,
        cause: ctx.requestId,
      });
      pending.push(take(customer, entry.Source!, event));
    }
    return { EventId: id };
  });
  await Promise.all(pending);
  return { FailedEntryCount: Entries.filter(({ ErrorCode }) => ErrorCode !== undefined).length, Entries };
}
