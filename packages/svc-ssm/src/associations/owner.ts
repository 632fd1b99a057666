import type { ComplianceOwner } from '../compliance/reporting.ts';
import type { DocumentSource } from '../documents/resolve.ts';
import type { AssociationStore } from './store.ts';

/** What runs associations, as they see it. */
export interface AssociationOwner extends DocumentSource, ComplianceOwner {
  readonly associations: AssociationStore;
  /** ARN of a document of the account. */
  documentArn(name: string): string;
}
