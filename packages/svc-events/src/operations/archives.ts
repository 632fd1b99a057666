import type {
  Archive,
  ArchiveState,
  CreateArchiveResponse,
  InputOf,
  OutputOf,
  UpdateArchiveRequest,
} from '@emu/service-types/events';
import { putArchiveRule, removeArchiveRule } from '../archives/archive-rule.ts';
import { busArn } from '../arns.ts';
import type { EventsContext } from '../context.ts';
import { alreadyExists, invalid, invalidParameter, notFound } from '../errors.ts';
import { checkKey } from '../event-key.ts';
import { busAt } from '../lookup.ts';
import { atMostOne, paging, withPrefix } from '../paging.ts';
import type { ArchiveRecord } from '../records.ts';
import { archiveType, busType } from '../resources.ts';
import { checkPattern } from '../rules/pattern.ts';
import type { Archived, EventsState } from '../state.ts';

const stateOf = ({ disabled }: Archived): ArchiveState => (disabled ? 'DISABLED' : 'ENABLED');

const archiveNotFound = (name: string) => notFound(`Archive ${name} does not exist.`);

/** @throws AwsError `ResourceNotFoundException` */
function archiveAt(name: string, state: EventsState): Archived {
  const archive = state.archives.get(name);
  if (!archive) throw archiveNotFound(name);
  return archive;
}

const acknowledge = (state: EventsState, archive: Archived): CreateArchiveResponse => ({
  ArchiveArn: archiveType.arn(archive, state),
  State: stateOf(archive),
  CreationTime: new Date(archive.createdAt),
});

function describe(state: EventsState, archive: Archived): Archive {
  const { count, bytes } = state.archived.sizeOf(archive.name);
  return {
    ArchiveName: archive.name,
    EventSourceArn: archive.source,
    State: stateOf(archive),
    RetentionDays: archive.retentionDays,
    SizeBytes: bytes,
    EventCount: count,
    CreationTime: new Date(archive.createdAt),
  };
}

/**
 * Returns the settings common to CreateArchive and UpdateArchive. @throws AwsError `InvalidEventPatternException`,
 * `ValidationException` for a key that cannot be used
 */
async function settingsOf(
  input: Omit<UpdateArchiveRequest, 'ArchiveName'>,
  source: string,
  ctx: EventsContext,
): Promise<Partial<ArchiveRecord>> {
  if (input.EventPattern) checkPattern(input.EventPattern);
  if (input.KmsKeyIdentifier) await checkKey(input.KmsKeyIdentifier, source, ctx);
  return {
    ...(input.KmsKeyIdentifier !== undefined && { kmsKeyIdentifier: input.KmsKeyIdentifier || undefined }),
    ...(input.Description !== undefined && { description: input.Description }),
    ...(input.EventPattern !== undefined && { eventPattern: input.EventPattern || undefined }),
    ...(input.RetentionDays !== undefined && { retentionDays: input.RetentionDays }),
  } as Partial<ArchiveRecord>;
}

/**
 * Creates an archive, which stores the events of a bus from then on.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreateArchive.html
 */
export async function CreateArchive(
  input: InputOf<'CreateArchive'>,
  ctx: EventsContext,
): Promise<OutputOf<'CreateArchive'>> {
  const { state } = ctx;
  const address = busType.parse(input.EventSourceArn);
  if (!address) throw invalidParameter('EventSourceArn', 'Must contain an event bus ARN.');
  const { accountId, region } = address.place;
  if (accountId !== ctx.accountId || region !== ctx.region)
    throw invalidParameter('EventSourceArn', 'Cross account or cross region archives are not permitted.');
  const source = busArn(state, address.key.name);
  busAt(input.EventSourceArn, ctx);
  const settings = await settingsOf(input, source, ctx);
  busAt(input.EventSourceArn, ctx);
  if (state.archives.has(input.ArchiveName)) throw alreadyExists(`Archive ${input.ArchiveName}`);
  const archive = state.archives.put(input.ArchiveName, {
    name: input.ArchiveName,
    source,
    retentionDays: 0,
    ...settings,
    createdAt: ctx.clock.now(),
  });
  putArchiveRule(state, archive);
  return acknowledge(state, archive);
}

/**
 * Updates an archive. Events older than a shortened retention are removed immediately. An empty key ends encryption
 * with a customer key.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UpdateArchive.html
 */
export async function UpdateArchive(
  input: InputOf<'UpdateArchive'>,
  ctx: EventsContext,
): Promise<OutputOf<'UpdateArchive'>> {
  const { state } = ctx;
  const { Description, EventPattern, RetentionDays, KmsKeyIdentifier } = input;
  if ([Description, EventPattern, RetentionDays, KmsKeyIdentifier].every((given) => given === undefined))
    throw invalid('At least one of EventPattern, RetentionDays or Description must be provided.');
  const settings = await settingsOf(input, archiveAt(input.ArchiveName, state).source, ctx);
  archiveAt(input.ArchiveName, state);
  const archive = state.archives.update(input.ArchiveName, (draft) => {
    Object.assign(draft, settings);
  });
  if (!archive.disabled) putArchiveRule(state, archive);
  state.archived.retentionChanged(archive.name);
  return acknowledge(state, archive);
}

/**
 * Returns an archive with its number of events and bytes.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeArchive.html
 */
export function DescribeArchive(
  input: InputOf<'DescribeArchive'>,
  { state }: EventsContext,
): OutputOf<'DescribeArchive'> {
  const archive = archiveAt(input.ArchiveName, state);
  return {
    ...describe(state, archive),
    ArchiveArn: archiveType.arn(archive, state),
    Description: archive.description,
    EventPattern: archive.eventPattern,
    KmsKeyIdentifier: archive.kmsKeyIdentifier,
  };
}

/**
 * Deletes an archive and its events.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteArchive.html
 */
export function DeleteArchive(input: InputOf<'DeleteArchive'>, { state }: EventsContext): OutputOf<'DeleteArchive'> {
  const archive = archiveAt(input.ArchiveName, state);
  removeArchiveRule(state, archive);
  state.archives.delete(archive.name);
  state.archived.remove(archive.name);
  return {};
}

/**
 * Lists the archives of the account, filtered by bus, state or name prefix.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListArchives.html
 */
export function ListArchives(input: InputOf<'ListArchives'>, ctx: EventsContext): OutputOf<'ListArchives'> {
  const { state } = ctx;
  const { EventSourceArn: source, NamePrefix, State } = input;
  atMostOne('ListArchives', input);
  if (source !== undefined) busAt(source, ctx);
  const found = withPrefix(state.archives.values(), NamePrefix).filter(
    (archive) =>
      (source === undefined || archive.source === source) && (State === undefined || State === stateOf(archive)),
  );
  return paging.page('ListArchives', input, found, ({ name }) => name).list((archive) => describe(state, archive));
}
