import { defineCollection } from '@emu/core/service';
import type { AccessAdvisorUsageGranularityType } from '@emu/service-types/iam';

/** The credential report of an account. Times are epoch milliseconds, rounded to seconds. */
export interface CredentialReportRecord {
  startedAt: number;
  /** Time at which it is available. */
  readyAt: number;
  /** CSV as of its start. */
  content: string;
}

/** Last use of a service. */
export interface LastAccess {
  at: number;
  region: string;
}

/** A user or role of a report, with its last use of services by namespace. */
export interface EntityAccess {
  arn: string;
  name: string;
  id: string;
  path: string;
  type: 'USER' | 'ROLE' | 'GROUP';
  services: Record<string, LastAccess>;
}

/** An access advisor job. */
export interface AccessJobRecord {
  id: string;
  /** ARN of its subject. */
  arn: string;
  granularity: AccessAdvisorUsageGranularityType;
  startedAt: number;
  readyAt: number;
  /** Sorted namespaces of the services that the policies of `arn` allow. */
  namespaces: string[];
  entities: EntityAccess[];
}

/** An access advisor job about an organization. */
export interface OrganizationsJobRecord {
  id: string;
  startedAt: number;
  readyAt: number;
  error: { code: string; message: string };
}

/** A single record with the key `report`. */
export const credentialReportCollection = defineCollection<CredentialReportRecord>('credential-report', 'account');
/** The following collections are by id. */
export const accessJobCollection = defineCollection<AccessJobRecord>('access-jobs', 'account');
export const organizationsJobCollection = defineCollection<OrganizationsJobRecord>('organizations-jobs', 'account');

/** Collections of generated reports. */
export const reportCollections = [credentialReportCollection, accessJobCollection, organizationsJobCollection];
