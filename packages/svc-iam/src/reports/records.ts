import { defineCollection } from '@emu/core/service';
import type { AccessAdvisorUsageGranularityType } from '@emu/service-types/iam';

/** The credential report of an account. Points in time are epoch milliseconds, in whole seconds. */
export interface CredentialReportRecord {
  startedAt: number;
  /** From when on it can be had. */
  readyAt: number;
  /** The CSV, as of its start. */
  content: string;
}

/** When somebody last used a service. */
export interface LastAccess {
  at: number;
  region: string;
}

/** A user or role of a report, with its latest use of services by their namespaces. */
export interface EntityAccess {
  arn: string;
  name: string;
  id: string;
  path: string;
  type: 'USER' | 'ROLE' | 'GROUP';
  services: Record<string, LastAccess>;
}

/** A job of access advisor. */
export interface AccessJobRecord {
  id: string;
  /** ARN of what it is about. */
  arn: string;
  granularity: AccessAdvisorUsageGranularityType;
  startedAt: number;
  readyAt: number;
  /** Namespaces of the services that the policies of `arn` allow, sorted. */
  namespaces: string[];
  entities: EntityAccess[];
}

/** A job of access advisor about an organization. */
export interface OrganizationsJobRecord {
  id: string;
  startedAt: number;
  readyAt: number;
  error: { code: string; message: string };
}

/** One record, of the key `report`. */
export const credentialReportCollection = defineCollection<CredentialReportRecord>('credential-report', 'account');
/** These by id. */
export const accessJobCollection = defineCollection<AccessJobRecord>('access-jobs', 'account');
export const organizationsJobCollection = defineCollection<OrganizationsJobRecord>('organizations-jobs', 'account');

/** What is generated and then asked for. */
export const reportCollections = [credentialReportCollection, accessJobCollection, organizationsJobCollection];
