import { type Collection, type DeepReadonly, formatArn, type StateScope, type Worker } from '@emu/core/service';
import type { OpsItemStatus } from '@emu/service-types/ssm';
import type { AutomationHost } from '../automation/types.ts';
import { announceItem, type ItemAuthor } from '../ops/announcements.ts';
import type { OpsStore } from '../ops/store.ts';
import { asSsm, type EventType } from '../parameters/events.ts';
import type { AccessRequestRecord, AccessStatus } from './records.ts';

export type AccessRequest = DeepReadonly<AccessRequestRecord>;

/** Statuses of an execution of policy steps, each with the resulting status of the request and of the OpsItem. */
const ENDS: Readonly<Record<string, readonly [AccessStatus, OpsItemStatus]>> = {
  Success: ['Approved', 'Approved'],
  TimedOut: ['Rejected', 'TimedOut'],
  Cancelled: ['Rejected', 'Cancelled'],
};
const REJECTED = ['Rejected', 'Rejected'] as const;

/** Parts of the state that access requests depend on. */
export interface AccessOwner {
  readonly automations: Pick<AutomationHost, 'get' | 'ended'>;
  readonly ops: OpsStore;
  announce(detailType: EventType, arn: string, detail: object, cause: string): void;
}

/** Just-in-time access requests of an account and region. */
export class AccessRequests implements Worker {
  private closed = false;

  constructor(
    private readonly scope: StateScope,
    private readonly records: Collection<AccessRequestRecord>,
    private readonly state: () => AccessOwner,
  ) {}

  resume(): void {
    for (const request of [...this.records.values()]) if (request.status === 'Pending') this.follow(request);
  }

  close(): void {
    this.closed = true;
  }

  get(id: string): AccessRequest | undefined {
    return this.records.get(id);
  }

  /** Returns the request that waits for an execution's approval. */
  ofAutomation(id: string): AccessRequest | undefined {
    for (const request of this.records.values()) if (request.automationId === id) return request;
    return undefined;
  }

  /** Returns the current status of a request, as in GetAccessToken. */
  statusOf({ status, endsAt }: AccessRequest): AccessStatus | 'Expired' {
    return status === 'Approved' && endsAt! <= this.scope.clock.now() ? 'Expired' : status;
  }

  /** Stores a request and sends its event. */
  put(record: AccessRequestRecord): void {
    const request = this.records.put(record.id, record);
    if (request.status === 'Pending')
      this.announce('Approver Access Request Status Update', request, 'PendingApproval');
    this.announce(
      'Requester Access Request Status Update',
      request,
      request.status === 'Pending' ? 'PendingApproval' : request.status,
    );
    if (request.status === 'Pending') this.follow(request);
  }

  /** Sends the event that no policy applies to a request because several policies conflict. */
  announceConflict(request: AccessRequest, policies: readonly string[]): void {
    this.announce('JITNA Access Request Failed', request, 'Failed', { ConflictingPolicies: policies });
  }

  /**
   * Revokes granted access.
   * @param by ARN of the principal that revokes it
   */
  revoke(id: string, by: string): void {
    this.settle(id, 'Revoked', 'Revoked', by);
  }

  remove(id: string): void {
    this.records.delete(id);
  }

  /** Updates the request when its approval execution ends. */
  private follow({ id, automationId, requester }: AccessRequest): void {
    const { automations } = this.state();
    void automations.ended(automationId!).then(() => {
      const status = automations.get(automationId!)?.status ?? 'Cancelled';
      if (this.closed || this.records.get(id)?.status !== 'Pending') return;
      const [access, item] = ENDS[status] ?? REJECTED;
      this.settle(id, access, item, requester);
    });
  }

  private settle(id: string, status: AccessStatus, itemStatus: OpsItemStatus, by: string): void {
    const now = Math.floor(this.scope.clock.now());
    const request = this.records.update(id, (draft) => {
      draft.status = status;
      if (status === 'Approved') draft.endsAt = now + draft.accessDuration * 1000;
    });
    const { ops } = this.state();
    if (ops.items.has(id)) {
      const item = ops.items.update(id, (draft) => {
        draft.status = itemStatus;
        draft.version++;
        draft.modifiedAt = now;
        draft.modifiedBy = by;
      });
      announceItem('OpsItem Update', item, this.author(by, id));
    }
    this.announce('Requester Access Request Status Update', request, itemStatus);
    this.announce('Approver Access Request Status Update', request, itemStatus);
  }

  private author(by: string, cause: string): ItemAuthor {
    const { accountId, region, ids, clock, log } = this.scope;
    const options = asSsm(accountId, region, cause);
    const publish: ItemAuthor['publish'] = (message) => this.scope.call('sns', 'Publish', message, options);
    return { accountId, region, state: this.state(), ids, clock, log, by, cause, publish };
  }

  private announce(
    detailType:
      | 'Approver Access Request Status Update'
      | 'Requester Access Request Status Update'
      | 'JITNA Access Request Failed',
    { id, requester, nodes, approvers, automationId }: AccessRequest,
    status: string,
    more: object = {},
  ): void {
    const { accountId, region } = this.scope;
    const detail = {
      AccessRequestId: id,
      AutomationExecutionId: automationId,
      Status: status,
      Requester: requester,
      Approvers: approvers,
      Targets: nodes,
      ...more,
    };
    const arn = formatArn({ service: 'ssm', region, accountId, resource: `opsitem/${id}` }, region);
    this.state().announce(detailType, arn, detail, id);
  }
}
