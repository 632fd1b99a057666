import type { Collection, DeepReadonly, StateScope } from '@emu/core/service';
import {
  type OpsItemEventRecord,
  type OpsItemRecord,
  type OpsMetadataRecord,
  opsItemCollection,
  opsItemEventCollection,
  opsMetadataCollection,
  type RelatedItemRecord,
  type ResourcePolicyRecord,
  relatedItemCollection,
  resourcePolicyCollection,
} from './records.ts';

export type OpsItem = DeepReadonly<OpsItemRecord>;
export type OpsMetadata = DeepReadonly<OpsMetadataRecord>;

/** OpsItems, application metadata and resource policies of an account and region. */
export class OpsStore {
  readonly items: Collection<OpsItemRecord>;
  readonly events: Collection<OpsItemEventRecord>;
  readonly related: Collection<RelatedItemRecord>;
  readonly metadata: Collection<OpsMetadataRecord>;
  /** Policies by resource ARN. */
  readonly policies: Collection<ResourcePolicyRecord>;

  constructor(scope: StateScope) {
    this.items = scope.collection(opsItemCollection);
    this.events = scope.collection(opsItemEventCollection);
    this.related = scope.collection(relatedItemCollection);
    this.metadata = scope.collection(opsMetadataCollection);
    this.policies = scope.collection(resourcePolicyCollection);
  }

  /** Deletes an OpsItem with its events and related items. */
  deleteItem(id: string): void {
    this.items.delete(id);
    for (const event of [...this.events.values()]) if (event.opsItemId === id) this.events.delete(event.id);
    for (const item of [...this.related.values()]) if (item.opsItemId === id) this.related.delete(item.id);
  }
}
