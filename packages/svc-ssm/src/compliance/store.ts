import { type Collection, type DeepReadonly, defineCollection, type StateScope } from '@emu/core/service';
import type { ComplianceSeverity, ComplianceStatus } from '@emu/service-types/ssm';

/** Compliance of one patch, association or rule. */
export interface ComplianceItemRecord {
  id?: string | undefined;
  title?: string | undefined;
  severity: ComplianceSeverity;
  status: ComplianceStatus;
  details: Record<string, string>;
}

/** Compliance of a resource in one compliance type. */
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

/** Compliance of an account's resources in a region. */
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
