import type { Timestamp } from './common.ts';

/** State of the running emulator. */
export interface HealthRecord {
  status: 'ok';
  /** Version of the running emulator. */
  version: string;
  /** Names of the emulated services. */
  services: string[];
  /** Names of services whose requests emu passes on to AWS; absent without any. */
  forwarded?: string[];
}

/** Response of the three reset routes. */
export interface ResetResult {
  reset: true;
}

/** Temporary credentials in the JSON format of container credential providers. */
export interface CredentialsRecord {
  AccessKeyId: string;
  SecretAccessKey: string;
  Token: string;
  Expiration: Timestamp;
  RoleArn: string;
}

/** Request for an administrator of an account. */
export interface CreateAdminRequest {
  /** 12-digit account id; the account need not exist before. */
  accountId: string;
  userName: string;
  /** Existing organization of which the account becomes a member; without it the account is standalone. */
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
  /** Current emulated time. */
  now: Timestamp;
  /** Whether time stands still until it is advanced. */
  frozen: boolean;
  /** Milliseconds by which the emulated time is ahead of the machine's. */
  offset: number;
}

/**
 * One change of the clock. Durations are milliseconds, or numbers with units `ms`, `s`, `m`, `h` or `d`, e.g. `15m` or
 * `1h30m`.
 * - `freeze`: stops the time.
 * - `resume`: lets time run again from the current emulated time.
 * - `reset`: returns to the running time of the machine.
 * - `set`: sets the time; if it moves forward, timers that are due run.
 * - `advance`: moves the time forward by a duration. The response is sent after all due timers have run.
 */
export type ClockChange =
  | { freeze: true }
  | { resume: true }
  | { reset: true }
  | { set: Timestamp }
  | { advance: number | string };

/** Record types of DNS queries. */
export type DnsRecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'NS' | 'PTR' | 'SPF' | 'CAA' | 'SRV' | 'SOA';

/** A record of a DNS response. */
export interface DnsRecord {
  name: string;
  type: string;
  /** Seconds. */
  ttl: number;
  /** Presentation form of the record data. */
  value: string;
}

/** Response of the DNS resolver for the emulated zones. */
export interface DnsResolveResult {
  name: string;
  type: string;
  status: 'ANSWERED' | 'NODATA' | 'NXDOMAIN' | 'NOT_AUTHORITATIVE';
  authoritative: boolean;
  records: DnsRecord[];
  /** Name at which the CNAME chain of an A or AAAA query leaves all local zones. No upstream server is queried. */
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

/** Routes outside of any area. The clock is emu's own; the identity document belongs to the metadata service. */
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
