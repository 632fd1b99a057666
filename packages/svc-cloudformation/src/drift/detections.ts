import type {
  Clock,
  Collection,
  DeepReadonly,
  InterruptedWork,
  Principal,
  StateScope,
  Worker,
} from '@emu/core/service';
import { interruptedRecords } from '@emu/core/service';
import type { StackDriftStatus, StackResourceDrift } from '@emu/service-types/cloudformation';
import { type Asker, readingContext } from '../host.ts';
import type { DriftDetectionRecord } from '../stacks/records.ts';
import type { Resource, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import type { JsonObject } from '../templates/values.ts';
import { compared } from './compare.ts';
import { driftOfAll, forEachConcurrently, isDrifted } from './reading.ts';
import type { DriftTypes } from './types.ts';

/** Maximum number of stored detections of all stacks. */
const MAX_KEPT = 1000;
/** Result for one resource as in responses, without the stack. */
export type ResourceFinding = Omit<StackResourceDrift, 'StackId' | 'Timestamp'>;

/** A stored detection. */
export type DriftDetection = DeepReadonly<DriftDetectionRecord>;

/** Compares stacks with the actual resources in the background; interrupted detections start again after a restart. */
export class DriftDetections implements Worker {
  private readonly abort = new AbortController();
  private readonly running = new Map<string, Promise<void>>();
  private readonly clock: Clock;

  constructor(
    private readonly store: StackStore,
    private readonly detections: Collection<DriftDetectionRecord>,
    private readonly types: DriftTypes,
    private readonly scope: StateScope,
  ) {
    this.clock = scope.clock;
  }

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.detections, {
      name: ({ id }) => `drift detection ${id}`,
      isLeft: ({ status }) => status === 'DETECTION_IN_PROGRESS',
      resume: (detection) => {
        this.run(detection);
        return this.settled(detection.id);
      },
      fail: (detection, reason) => this.giveUp(detection, reason),
    });
  }

  close(): void {
    this.abort.abort(new Error('emu is closing'));
  }

  /** Returns the detection with an id. */
  get(id: string): DriftDetection | undefined {
    return this.detections.get(id);
  }

  /** Whether a detection runs on a stack. */
  busy(stack: string): boolean {
    return [...this.running.keys()].some((id) => this.detections.get(id)?.stack === stack);
  }

  /** Resolves when a detection has ended. */
  async settled(id: string): Promise<void> {
    await this.running.get(id);
  }

  /**
   * Starts a detection on a stack.
   * @param logicalIds resources to compare; all if undefined
   */
  begin(stack: Stack, logicalIds: readonly string[] | undefined, asker: Asker): DriftDetection {
    this.evictOldest();
    const { principal, endpoint, cause } = asker;
    const id = this.store.ids.uuid();
    const detection = this.detections.put(id, {
      id,
      stack: stack.uuid,
      ...(logicalIds && { logicalIds: [...logicalIds] }),
      status: 'DETECTION_IN_PROGRESS',
      startedAt: this.clock.now(),
      principal,
      endpoint,
      ...(cause !== undefined && { cause }),
    });
    this.run(detection);
    return detection;
  }

  private evictOldest(): void {
    const [oldest] = this.detections.size < MAX_KEPT ? [] : [...this.detections.keys()];
    if (oldest !== undefined) this.detections.delete(oldest);
  }

  private run(detection: DriftDetection): void {
    const ended = this.detect(detection)
      .catch((error: unknown) => {
        if (this.abort.signal.aborted) return;
        this.scope.log.error('a drift detection failed', { error, detection: detection.id });
        this.giveUp(detection, String(error));
      })
      .finally(() => this.running.delete(detection.id));
    this.running.set(detection.id, ended);
  }

  private giveUp(detection: DriftDetection, cause: string): void {
    this.end(detection, 'UNKNOWN', 0, `Internal failure: ${cause}`);
  }

  private async detect(detection: DriftDetection): Promise<void> {
    const { stack, logicalIds, principal, endpoint, cause } = detection;
    const asker: Asker = { principal: principal as Principal, endpoint, cause };
    // The response is sent before anything is read.
    await Promise.resolve();
    const wanted = this.store
      .resourcesIn(stack)
      .filter(({ logicalId, current }) => current && (!logicalIds || logicalIds.includes(logicalId)));
    const statuses: StackResourceDrift['StackResourceDriftStatus'][] = [];
    const reasons: string[] = [];
    await forEachConcurrently(wanted, async (resource) => {
      const finding = await this.check(resource, asker);
      if (!finding) return;
      statuses.push(finding.StackResourceDriftStatus);
      if (finding.DriftStatusReason !== undefined)
        reasons.push(`Failed to detect drift on resource [${resource.logicalId}]: ${finding.DriftStatusReason}`);
    });
    const drifted = statuses.filter(isDrifted).length;
    this.end(detection, driftOfAll(statuses), drifted, reasons.length ? reasons.join('; ') : undefined);
  }

  private end(detection: DriftDetection, found: StackDriftStatus, drifted: number, failure?: string): void {
    if (this.detections.has(detection.id))
      this.detections.update(detection.id, (draft) => {
        draft.status = failure === undefined ? 'DETECTION_COMPLETE' : 'DETECTION_FAILED';
        draft.found = found;
        draft.drifted = drifted;
        if (failure !== undefined) draft.reason = failure;
      });
    if (this.store.stack(detection.stack))
      this.store.updateStack(detection.stack, (draft) => {
        draft.drift = { status: found, checkedAt: detection.startedAt };
      });
  }

  /**
   * Compares a resource with its template and stores the result.
   * @returns undefined for a type that AWS does not compare
   */
  async check(resource: Resource, asker: Asker): Promise<ResourceFinding | undefined> {
    const { stack, logicalId, current } = resource;
    const provider = current && (await this.types.comparable(current.type));
    if (!provider) return undefined;
    const { identifier, physicalId, type, properties, tags } = current;
    const base = { LogicalResourceId: logicalId, PhysicalResourceId: physicalId, ResourceType: type };
    const expected = structuredClone(properties) as JsonObject;
    let finding: ResourceFinding;
    try {
      const model = await provider.read(identifier, readingContext(this.scope, asker, this.abort.signal), expected);
      if (!model) finding = { ...base, StackResourceDriftStatus: 'DELETED' };
      else {
        const keys = new Set(tags.map(({ Key }) => Key!));
        const result = compared(provider.facts, expected, model.properties as JsonObject, keys);
        finding = {
          ...base,
          ExpectedProperties: JSON.stringify(result.expected),
          ActualProperties: JSON.stringify(result.actual),
          PropertyDifferences: result.differences,
          StackResourceDriftStatus: result.differences.length ? 'MODIFIED' : 'IN_SYNC',
        };
      }
    } catch (error) {
      this.abort.signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      finding = { ...base, StackResourceDriftStatus: 'UNKNOWN', DriftStatusReason: reason };
    }
    this.abort.signal.throwIfAborted();
    if (this.store.resource(stack, logicalId))
      this.store.updateResource(stack, logicalId, (draft) => {
        const detail = JSON.stringify(finding);
        draft.drift = { status: finding.StackResourceDriftStatus, checkedAt: this.clock.now(), detail };
      });
    return finding;
  }
}
