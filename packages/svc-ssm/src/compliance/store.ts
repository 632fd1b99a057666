import { type Collection, type DeepReadonly, defineCollection, type StateScope } from '@emu/core';
import type { ComplianceSeverity, ComplianceStatus } from '@emu/service-types/ssm';

/** What is said of one patch, association or rule. */
export interface ComplianceItemRecord {
  id?: string | undefined;
  title?: string | undefined;
  severity: ComplianceSeverity;
  status: ComplianceStatus;
  details: Record<string, string>;
}

/** Compliance of one type of a resource. */
export interface ComplianceRecord {
  resourceType: string;
  resourceId: string;
  /** `Patch`, `Association` or `Custom:…`. */
  complianceType: string;
  /** Epoch milliseconds. */
  executedAt: number;
  executionId?: string | undefined;
  executionType?: string | undefined;
  contentHash?: string | undefined;
  items: ComplianceItemRecord[];
}

export type Compliance = DeepReadonly<ComplianceRecord>;
export type ComplianceItem = DeepReadonly<ComplianceItemRecord>;

const complianceCollection = defineCollection<ComplianceRecord>('compliance', 'region', { content: ['details'] });

export const complianceCollections = [complianceCollection] as const;

const keyOf = ({ resourceType, resourceId, complianceType }: Omit<ComplianceRecord, 'items' | 'executedAt'>): string =>
  `${resourceType} ${resourceId} ${complianceType}`;

/** What is known of the compliance of an account's resources in a region. */
export class ComplianceStore {
  private readonly records: Collection<ComplianceRecord>;

  constructor(scope: StateScope) {
    this.records = scope.collection(complianceCollection);
  }

  get(address: Pick<ComplianceRecord, 'resourceType' | 'resourceId' | 'complianceType'>): Compliance | undefined {
    return this.records.get(keyOf(address));
  }

  put(record: ComplianceRecord): void {
    this.records.put(keyOf(record), record);
  }

  all(): Compliance[] {
    return [...this.records.values()];
  }
}
