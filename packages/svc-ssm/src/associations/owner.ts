import type { ComplianceOwner } from '../compliance/reporting.ts';
import type { DocumentSource } from '../documents/resolve.ts';
import type { AssociationStore } from './store.ts';

/** Parts of the state that associations depend on. */
export interface AssociationOwner extends DocumentSource, ComplianceOwner {
  readonly associations: AssociationStore;
  /** Returns the ARN of a document of the account. */
  documentArn(name: string): string;
}
