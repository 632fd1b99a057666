import type { Timestamp } from './common.ts';

/** State of the running emulator. */
export interface HealthRecord {
  status: 'ok';
  /** Version of the running emulator. */
  version: string;
  /** Names of the emulated services. */
  services: string[];
}

/** Answer of the three resets. */
export interface ResetResult {
  reset: true;
}

/** Temporary credentials in the JSON shape that container credential providers read. */
export interface CredentialsRecord {
  AccessKeyId: string;
  SecretAccessKey: string;
  Token: string;
  Expiration: Timestamp;
  RoleArn: string;
}

/** Asks for an administrator of an account. */
export interface CreateAdminRequest {
  /** 12-digit account id; the account need not exist before. */
  accountId: string;
  userName: string;
  /** Enrols the account as a member of this existing organization; without it the account stands alone. */
  organizationId?: string;
}

/** A new administrator with its access key. */
export interface AdminRecord {
  accountId: string;
  userName: string;
  /** ARN of the user. */
  arn: string;
  accessKeyId: string;
  secretAccessKey: string;
  organizationId?: string;
}

/** The emulator's clock. */
export interface ClockRecord {
  /** The current emulated time. */
  now: Timestamp;
  /** Whether time stands still until it is advanced. */
  frozen: boolean;
  /** Milliseconds by which the emulated time is ahead of the machine's. */
  offset: number;
}

/**
 * One change of the clock. Durations are milliseconds, or numbers with units `ms`, `s`, `m`, `h` or `d`, e.g. `15m` or `1h30m`.
 * - `freeze`: time stands still.
 * - `resume`: time runs on from the current emulated moment.
 * - `reset`: the machine's time, running.
 * - `set`: to a point in time; forwards it runs what falls due on the way.
 * - `advance`: forwards by a duration; answered when everything that fell due has run.
 */
export type ClockChange =
  | { freeze: true }
  | { resume: true }
  | { reset: true }
  | { set: Timestamp }
  | { advance: number | string };

/** Record types that DNS queries may ask for. */
export type DnsRecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'NS' | 'PTR' | 'SPF' | 'CAA' | 'SRV' | 'SOA';

/** A record of a DNS answer. */
export interface DnsRecord {
  name: string;
  type: string;
  /** Seconds. */
  ttl: number;
  /** Presentation form of the record data. */
  value: string;
}

/** What the DNS resolver answers from the emulated zones. */
export interface DnsResolveResult {
  name: string;
  type: string;
  status: 'ANSWERED' | 'NODATA' | 'NXDOMAIN' | 'NOT_AUTHORITATIVE';
  authoritative: boolean;
  records: DnsRecord[];
  /** Where the CNAME chain of an A or AAAA query leaves every local zone; nothing is asked upstream. */
  external_cname?: string;
}

/** The instance identity document of the metadata service, as AWS documents it. */
export interface InstanceIdentityDocument {
  accountId: string;
  architecture: string;
  availabilityZone: string;
  billingProducts: string[] | null;
  devpayProductCodes: string[] | null;
  marketplaceProductCodes: string[] | null;
  imageId: string;
  instanceId: string;
  instanceType: string;
  kernelId: string | null;
  pendingTime: Timestamp;
  privateIp: string;
  ramdiskId: string | null;
  region: string;
  version: string;
}

/** Routes that belong to no area. The clock is emu's own; the identity document is the metadata service's. */
export interface CoreRoutes {
  'GET /_emulator/health': { response: HealthRecord };
  'POST /_reset': { response: ResetResult };
  'POST /_emulator/reset/{service}': { response: ResetResult };
  'POST /_emulator/reset/{service}/{account_id}': { response: ResetResult };
  'GET /_emulator/credentials': { response: CredentialsRecord };
  'POST /_emulator/iam/create-admin': { body: CreateAdminRequest; response: AdminRecord };
  'GET /_emulator/dns/resolve': { query: { name: string; type?: DnsRecordType }; response: DnsResolveResult };
  'GET /_emulator/clock': { response: ClockRecord };
  'POST /_emulator/clock': { body: ClockChange; response: ClockRecord };
  'GET /latest/dynamic/instance-identity/document': { response: InstanceIdentityDocument };
}
