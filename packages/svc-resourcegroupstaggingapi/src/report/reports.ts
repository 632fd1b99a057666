import {
  type Collection,
  controlPolicies,
  type InterruptedWork,
  interruptedRecords,
  resourceDirectory,
  type StateScope,
  servicePrincipal,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { constraintViolation, resourcegroupstaggingapiError } from '../errors.ts';
import { type ReportRecord, reportCollection } from '../records.ts';
import { reportText } from './csv.ts';

/**
 * Principal that writes reports to buckets.
 * @see https://docs.aws.amazon.com/tag-editor/latest/userguide/tag-policies-orgs.html
 */
const SERVICE = 'tagpolicies.tag';
/** Period for which AWS keeps the status of a report. */
const LIFETIME = 90 * 24 * 60 * 60 * 1000;
const REPORT = 'report';

/** Writes an account's reports of its tagged resources and stores the status of the latest one. */
export class Reports implements Worker {
  private readonly records: Collection<ReportRecord>;
  /** Whether a report is being written. */
  private writing = false;
  private closed = false;

  constructor(private readonly scope: StateScope) {
    this.records = scope.collection(reportCollection);
  }

  /** Returns the latest report of the last 90 days; otherwise undefined. */
  latest(): Readonly<ReportRecord> | undefined {
    const report = this.records.get(REPORT);
    return report && this.scope.clock.now() < report.startedAt + LIFETIME ? report : undefined;
  }

  /**
   * Starts a report.
   * @throws AwsError `ConcurrentModificationException` while another is in progress, `ConstraintViolationException`
   * outside of an organization
   */
  async start(bucket: string): Promise<void> {
    const organization = await this.organization();
    if (this.writing)
      throw resourcegroupstaggingapiError(
        'ConcurrentModificationException',
        'A report is being created. Try again when its creation is complete.',
      );
    const { clock } = this.scope;
    const startedAt = clock.now();
    const time = `${new Date(startedAt).toISOString().slice(0, 19)}Z`;
    const key = `AwsTagPolicies/${organization}/${time}/report.csv`;
    this.records.put(REPORT, { status: 'RUNNING', bucket, key, startedAt });
    this.writing = true;
    this.scope.clock.after(0, () => this.run());
  }

  /** Continues a report in progress after a restart. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ key }) => `report ${key}`,
      idOf: ({ key }) => key,
      isLeft: ({ status }) => status === 'RUNNING' && !this.writing && this.latest() !== undefined,
      resume: () => this.run(),
      fail: (_, error) =>
        void this.records.update(REPORT, (record) => Object.assign(record, { status: 'FAILED', error })),
    });
  }

  close(): void {
    this.closed = true;
  }

  /** Returns the organization of the account. Without Organizations, each account is an organization by itself. */
  private async organization(): Promise<string> {
    const { accountId, service } = this.scope;
    const policies = await service.capability(controlPolicies);
    if (!policies) return `o-${BigInt(accountId).toString(36).padStart(10, '0')}`;
    const id = policies.organizationId(accountId);
    if (id === undefined) throw constraintViolation('The account is not a member of an organization.');
    return id;
  }

  private async run(): Promise<void> {
    this.writing = true;
    await this.write().finally(() => {
      this.writing = false;
    });
  }

  private async write(): Promise<void> {
    const report = this.latest();
    if (report?.status !== 'RUNNING') return;
    const { accountId, region, service } = this.scope;
    const directory = await service.capability(resourceDirectory);
    const Body = Buffer.from(reportText(directory!, accountId));
    let end: Pick<ReportRecord, 'status' | 'error'> = { status: 'SUCCEEDED' };
    try {
      await this.scope.call(
        's3',
        'PutObject',
        { Bucket: report.bucket, Key: report.key, Body, ContentType: 'text/csv' },
        {
          region,
          principal: servicePrincipal(SERVICE, accountId),
          authorize: { sourceAccount: accountId },
        },
      );
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      end = { status: 'FAILED', error: error.message };
    }
    if (!this.closed) this.records.update(REPORT, (record) => Object.assign(record, end));
  }
}
