import { identifierParts } from '@emu/core/providers';
import {
  type Collection,
  type DeepReadonly,
  IdempotencyTokens,
  type InterruptedWork,
  interruptedRecords,
  type Principal,
  type ProviderContext,
  type ResourceModel,
  type ResourceProvider,
  type ResourceTypeFacts,
  resourceProviders,
  type StateScope,
  tagMap,
  tokensOf,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { type Asker, readingContext } from '../host.ts';
import { type ResourceScanRecord, resourceScanCollection, type ScannedRecord, scannedCollection } from './records.ts';
import { type Mentions, namesOf, relationsOf, textsOf } from './relations.ts';

/** A stored scan. */
export type ResourceScan = DeepReadonly<ResourceScanRecord>;
/** A stored resource of a scan. */
export type ScannedResource = DeepReadonly<ScannedRecord> & { readonly number: number };

/** Milliseconds for which the resources of a scan can be listed. */
const KEPT = 30 * 24 * 60 * 60 * 1000;
/** Maximum number of stored scans. */
const MAX_SCANS = 20;

const keyOf = (scan: string, number: number): string => `${scan}/${String(number).padStart(7, '0')}`;

/** Returns the identifier of a resource, by part name. */
function namedParts(identifier: string, { primaryIdentifier }: ResourceTypeFacts): Record<string, string> {
  const parts = identifierParts(identifier, primaryIdentifier.length);
  return Object.fromEntries(primaryIdentifier.map((name, index) => [name, parts[index] ?? '']));
}

/** Returns the tags of a resource, by key. */
function tagsOf({ tags }: ResourceTypeFacts, properties: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = tags && properties[tags.property];
  if (!given) return {};
  if (tags.form === 'map') return { ...(given as Record<string, string>) };
  return tagMap(given as { Key: string; Value: string }[]) ?? {};
}

interface Found {
  readonly type: string;
  readonly provider: ResourceProvider;
  readonly identifier: string;
  readonly model: ResourceModel | undefined;
}

/** Lists the resources of an account and region in the background; interrupted scans start again after a restart. */
export class ResourceScans implements Worker {
  private readonly abort = new AbortController();
  private readonly scans: Collection<ResourceScanRecord>;
  private readonly scanned: Collection<ScannedRecord>;
  /** Ids of running scans. */
  private readonly running = new Set<string>();
  readonly tokens: IdempotencyTokens<ResourceScan>;

  constructor(private readonly scope: StateScope) {
    this.scans = scope.collection(resourceScanCollection);
    this.scanned = scope.collection(scannedCollection);
    this.tokens = new IdempotencyTokens({
      clock: scope.clock,
      member: 'ClientRequestToken',
      records: tokensOf(this.scans, ({ token }) => (token === undefined ? undefined : { token })),
    });
  }

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.scans, {
      name: ({ uuid }) => `resource scan ${uuid}`,
      isLeft: ({ status }) => status === 'IN_PROGRESS',
      resume: (scan) => this.run(scan),
      fail: (scan, reason) => this.giveUp(scan, reason),
    });
  }

  close(): void {
    this.abort.abort(new Error('emu is closing'));
  }

  /** Returns a scan; EXPIRED after its lifetime. */
  get(uuid: string): ResourceScan | undefined {
    const scan = this.scans.get(uuid);
    if (scan?.status !== 'COMPLETE' || this.scope.clock.now() < scan.startedAt + KEPT) return scan;
    this.discardResources(uuid);
    return this.scans.update(uuid, (draft) => {
      draft.status = 'EXPIRED';
    });
  }

  /** Returns all scans, newest first. */
  all(): ResourceScan[] {
    return [...this.scans.keys()].map((uuid) => this.get(uuid)!).reverse();
  }

  /** Returns the resources that a scan found. */
  resources(scan: ResourceScan): ScannedResource[] {
    const found: ScannedResource[] = [];
    for (let number = 0; ; number++) {
      const resource = this.scanned.get(keyOf(scan.uuid, number));
      if (!resource) return found;
      found.push({ ...resource, number });
    }
  }

  /** Starts a scan. */
  begin(filter: readonly string[] | undefined, token: string | undefined, asker: Asker): ResourceScan {
    const [oldest] = this.scans.size < MAX_SCANS ? [] : [...this.scans.keys()];
    if (oldest !== undefined) {
      this.discardResources(oldest);
      this.scans.delete(oldest);
    }
    const { principal, endpoint, cause } = asker;
    const uuid = this.scope.ids.uuid();
    const scan = this.scans.put(uuid, {
      uuid,
      status: 'IN_PROGRESS',
      startedAt: this.scope.clock.now(),
      percentage: 0,
      ...(filter && { filter: [...filter] }),
      types: [],
      scanned: 0,
      read: 0,
      ...(token !== undefined && { token }),
      asker: { principal, endpoint, ...(cause !== undefined && { cause }) },
    });
    void this.run(scan);
    return scan;
  }

  private discardResources(uuid: string): void {
    for (let number = 0; this.scanned.has(keyOf(uuid, number)); number++) this.scanned.delete(keyOf(uuid, number));
  }

  /** Whether a scan runs. */
  get busy(): boolean {
    return this.running.size > 0;
  }

  private run(scan: ResourceScan): Promise<void> {
    this.running.add(scan.uuid);
    return this.scan(scan)
      .catch((error: unknown) => {
        if (this.abort.signal.aborted) return;
        this.scope.log.error('a resource scan failed', { error });
        this.giveUp(scan, String(error));
      })
      .finally(() => this.running.delete(scan.uuid));
  }

  private giveUp({ uuid }: ResourceScan, cause: string): void {
    if (this.scans.has(uuid))
      this.scans.update(uuid, (draft) => {
        draft.status = 'FAILED';
        draft.reason = `Internal failure: ${cause}`;
        draft.endedAt = this.scope.clock.now();
      });
  }

  private async scan({ uuid, filter, asker }: ResourceScan): Promise<void> {
    // The response is sent before anything is read.
    await Promise.resolve();
    this.discardResources(uuid);
    const { principal, endpoint, cause } = asker;
    const ctx = readingContext(this.scope, { principal: principal as Principal, endpoint, cause }, this.abort.signal);
    const providers = await this.scope.service.capability(resourceProviders);
    const wanted = (name: string) => !filter || filter.some((pattern) => matches(pattern, name));
    const types = (providers?.names ?? []).filter(wanted);
    const found: Found[] = [];
    for (const [index, type] of types.entries()) {
      const provider = await providers!.provider(type);
      if (provider?.list) found.push(...(await this.listed(type, provider, ctx)));
      this.abort.signal.throwIfAborted();
      if (!this.scans.has(uuid)) return;
      const percentage = Math.floor(((index + 1) * 100) / types.length);
      if (percentage - this.scans.get(uuid)!.percentage >= 10)
        this.scans.update(uuid, (draft) => {
          draft.percentage = percentage;
        });
    }
    const relations = relationsOf(found.map(mentionsOf));
    for (const [number, { type, provider, identifier, model }] of found.entries())
      this.scanned.put(keyOf(uuid, number), {
        scan: uuid,
        type,
        identifier: namedParts(identifier, provider.facts),
        tags: tagsOf(provider.facts, model?.properties ?? {}),
        related: relations[number]!,
      });
    this.scans.update(uuid, (draft) => {
      draft.status = 'COMPLETE';
      draft.percentage = 100;
      draft.endedAt = this.scope.clock.now();
      draft.types = [...new Set(found.map(({ type }) => type))];
      draft.scanned = found.length;
      draft.read = found.filter(({ model }) => model).length;
    });
  }

  /** Lists the resources of a type; empty for types that are only listed per parent resource. */
  private async listed(type: string, provider: ResourceProvider, ctx: ProviderContext): Promise<Found[]> {
    const identifiers = await this.attempt(type, () => provider.list!(ctx));
    const found: Found[] = [];
    for (const identifier of identifiers ?? []) {
      const model = await this.attempt(type, () => provider.read(identifier, ctx));
      found.push({ type, provider, identifier, model });
    }
    return found;
  }

  /** Treats resources that a service rejects as not found; the scan continues. */
  private async attempt<Value>(type: string, ask: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await ask();
    } catch (error) {
      this.abort.signal.throwIfAborted();
      if (!(error instanceof AwsError)) throw error;
      this.scope.log.debug('a resource was not scanned', { type, error });
      return undefined;
    }
  }
}

const mentionsOf = ({ identifier, model }: Found): Mentions => ({
  names: namesOf(identifier, model?.attributes ?? {}),
  texts: textsOf(model?.properties ?? {}),
});

/** Whether a filter, e.g. `AWS::S3::*`, matches a type. */
export const matches = (pattern: string, type: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
