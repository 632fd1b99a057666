import type {
  Clock,
  Collection,
  DeepReadonly,
  InterruptedWork,
  Principal,
  ServiceCaller,
  Worker,
} from '@emu/core/service';
import { interruptedRecords } from '@emu/core/service';
import type { SuppressionListReason, TopicPreference } from '@emu/service-types/sesv2';
import { optionalText, parseJson } from '@emu/wire';
import type { ContactBook } from '../contacts/contact-book.ts';
import { isAddress } from '../identities/names.ts';
import type { Named } from '../named.ts';
import type { ContactListRecord, ContactRecord, ImportRecord, SuppressedRecord } from '../records.ts';

/** State that imports change. */
export interface ImportHost {
  readonly clock: Clock;
  readonly caller: ServiceCaller;
  readonly suppressed: Named<SuppressedRecord>;
  readonly contacts: ContactBook;
  readonly contactLists: Named<ContactListRecord>;
}

type Import = DeepReadonly<ImportRecord>;
type Row = Readonly<Record<string, unknown>>;

/** Maximum bytes of an import file, for a million addresses. */
const MAX_BYTES = 100 * 1024 * 1024;
const MAX_ROWS = 1_000_000;

/** Returns the object of an S3 URL; undefined for other URLs. */
export function objectAt(url: string): { Bucket: string; Key: string } | undefined {
  const match = /^s3:\/\/([^/]+)\/(.+)$/.exec(url);
  return match ? { Bucket: match[1]!, Key: match[2]! } : undefined;
}

/** Import jobs of contacts and suppressed addresses from S3. An interrupted job restarts. */
export class Imports implements Worker {
  private closed = false;

  constructor(
    private readonly state: ImportHost,
    private readonly records: Collection<ImportRecord>,
  ) {}

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ id }) => `import job ${id}`,
      isLeft: ({ status }) => status === 'CREATED' || status === 'PROCESSING',
      resume: ({ id }) => this.run(id),
      fail: ({ id }, reason) =>
        this.end(id, { status: 'FAILED', processed: 0, failed: 0, failure: { ErrorMessage: reason } }),
    });
  }

  close(): void {
    this.closed = true;
  }

  get(id: string): Import | undefined {
    return this.records.get(id);
  }

  /** Returns all jobs, oldest first. */
  list(): Import[] {
    return [...this.records.values()];
  }

  /** Starts a job. */
  begin(job: ImportRecord): void {
    this.records.put(job.id, job);
    void this.run(job.id);
  }

  private async run(id: string): Promise<void> {
    const job = this.records.update(id, (draft) => {
      draft.status = 'PROCESSING';
    });
    try {
      const rows = await this.read(job);
      if (this.closed) return;
      let failed = 0;
      for (const row of rows) if (!this.take(job, row)) failed++;
      this.end(id, { status: 'COMPLETED', processed: rows.length, failed });
    } catch (error) {
      if (this.closed) return;
      const { message } = error as Error;
      this.end(id, { status: 'FAILED', processed: 0, failed: 0, failure: { ErrorMessage: message } });
    }
  }

  private end(id: string, how: Pick<ImportRecord, 'status' | 'processed' | 'failed' | 'failure'>): void {
    this.records.update(id, (draft) => {
      Object.assign(draft, how, { completedAt: this.state.clock.now() });
    });
  }

  /** Returns the rows of the file: CSV with header, or JSON lines. */
  private async read({ source, principal }: Import): Promise<Row[]> {
    const { Body } = await this.state.caller.call('s3', 'GetObject', objectAt(source.url)!, {
      ...(principal && { principal: principal as Principal }),
      authorize: {},
    });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of Body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error('The file is larger than 100 MB.');
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    if (source.format === 'JSON') {
      const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
      if (lines.length > MAX_ROWS) throw new Error('The file has more than 1,000,000 records.');
      return lines.map(readJson);
    }
    const { parse } = await import('csv-parse/sync');
    return parse(text, {
      columns: (header: string[]) => header.map((name) => name.trim()),
      skip_empty_lines: true,
      relax_column_count: true,
      to: MAX_ROWS,
    }) as Row[];
  }

  /**
   * Processes one row.
   * @returns whether it was valid
   */
  private take(job: Import, row: Row): boolean {
    const address = optionalText(row.emailAddress)?.trim();
    if (address === undefined || !isAddress(address)) return false;
    if (job.suppression !== undefined) return this.suppress(job.suppression === 'DELETE', address.toLowerCase(), row);
    return job.contacts !== undefined && this.contact(job.contacts, address, row);
  }

  private suppress(remove: boolean, address: string, row: Row): boolean {
    const { suppressed, clock } = this.state;
    if (remove) {
      suppressed.delete(address);
      return true;
    }
    const reason = optionalText(row.reason)?.trim().toUpperCase();
    if (reason !== 'BOUNCE' && reason !== 'COMPLAINT') return false;
    suppressed.put(address, { address, reason: reason as SuppressionListReason, updatedAt: clock.now() });
    return true;
  }

  private contact({ list, action }: NonNullable<Import['contacts']>, address: string, row: Row): boolean {
    const { contacts, contactLists, clock } = this.state;
    const topics = contactLists.get(list)?.topics;
    if (!topics) return false;
    if (action === 'DELETE') {
      contacts.delete(list, address);
      return true;
    }
    const preferences = preferencesIn(row);
    if (preferences.some(({ TopicName }) => !topics.some((topic) => topic.TopicName === TopicName))) return false;
    const before = structuredClone(contacts.get(list, address)) as ContactRecord | undefined;
    const now = clock.now();
    const attributes = optionalText(row.attributesData);
    contacts.put({
      createdAt: now,
      ...before,
      list,
      address,
      preferences,
      unsubscribed: String(row.unsubscribeAll ?? false).toLowerCase() === 'true',
      ...(attributes !== undefined && attributes !== '' && { attributes }),
      updatedAt: now,
    });
    return true;
  }
}

/** Parses a JSON line; returns an empty row for invalid JSON. */
function readJson(line: string): Row {
  try {
    const value: unknown = parseJson(line);
    return typeof value === 'object' && value !== null ? (value as Row) : {};
  } catch {
    return {};
  }
}

/** Returns the topic preferences in a row: columns `topicPreferences.<topic>`, or a list of objects. */
function preferencesIn(row: Row): TopicPreference[] {
  const status = (value: unknown): TopicPreference['SubscriptionStatus'] =>
    String(value).toUpperCase() === 'OPT_IN' ? 'OPT_IN' : 'OPT_OUT';
  if (Array.isArray(row.topicPreferences))
    return (row.topicPreferences as { topicName?: string; subscriptionStatus?: string }[]).map((one) => ({
      TopicName: String(one?.topicName),
      SubscriptionStatus: status(one?.subscriptionStatus),
    }));
  return Object.entries(row).flatMap(([column, value]) =>
    column.startsWith('topicPreferences.') && value !== ''
      ? [{ TopicName: column.slice('topicPreferences.'.length), SubscriptionStatus: status(value) }]
      : [],
  );
}
