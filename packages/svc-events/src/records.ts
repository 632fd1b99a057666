import { defineCollection } from '@emu/core/service';
import type {
  ApiDestinationHttpMethod,
  ConnectionAuthorizationType,
  ConnectionState,
  DeadLetterConfig,
  EndpointEventBus,
  EventSourceState,
  LogConfig,
  ReplayState,
  ReplicationConfig,
  RoutingConfig,
  RuleState,
  Tag,
  Target,
} from '@emu/service-types/events';
import type { BusEvent } from './event.ts';

/** Name of the default bus, which exists in every account and region. */
export const DEFAULT_BUS = 'default';

/** An event bus, keyed by name. Times are epoch milliseconds. */
export interface BusRecord {
  name: string;
  description?: string;
  /** Partner event source whose events the bus receives. */
  eventSourceName?: string;
  /** As given. */
  kmsKeyIdentifier?: string;
  /** Queue for events that the customer key cannot encrypt. */
  deadLetterConfig?: DeadLetterConfig;
  logConfig?: LogConfig;
  /** Resource policy, as JSON text. */
  policy?: string;
  tags: Tag[];
  createdAt: number;
  modifiedAt: number;
}

/** A rule with its targets, keyed by bus and name. */
export interface RuleRecord {
  bus: string;
  name: string;
  eventPattern?: string;
  scheduleExpression?: string;
  state: RuleState;
  description?: string;
  roleArn?: string;
  tags: Tag[];
  targets: Target[];
  /** Account that created the rule. */
  createdBy: string;
  /** Service that manages the rule. */
  managedBy?: string;
  /** Start of a rate schedule in epoch milliseconds: when the schedule was last set or the rule last enabled. */
  scheduledFrom?: number;
}

/** An archive, keyed by name. */
export interface ArchiveRecord {
  name: string;
  /** ARN of the bus. */
  source: string;
  description?: string;
  eventPattern?: string;
  /** As given. */
  kmsKeyIdentifier?: string;
  /** Days; 0 keeps events forever. */
  retentionDays: number;
  /** Whether the archive is disabled because its rule was changed with Force. */
  disabled?: true;
  createdAt: number;
}

/** An event in an archive, keyed by the archive's name and a sequence number. */
export interface ArchivedEventRecord {
  archive: string;
  /** The event as delivered, as JSON text; in an archive with a customer key encrypted, in base64. */
  event: string;
  /** Data key of an encrypted event, encrypted by KMS, in base64. */
  dataKey?: string;
  /** Bytes of an encrypted event's JSON text. */
  bytes?: number;
  /** Time in epoch milliseconds at which the bus received the event. */
  at: number;
}

/** A replay, keyed by name. */
export interface ReplayRecord {
  name: string;
  description?: string;
  archive: string;
  /** ARN of the archive. */
  source: string;
  /** ARN of the bus. */
  destination: string;
  /** ARNs of the rules that receive the events; undefined means all. */
  filterArns?: string[];
  state: ReplayState;
  stateReason?: string;
  /** Id of the request that started the replay. */
  cause?: string;
  from: number;
  to: number;
  startedAt: number;
  endedAt?: number;
  lastReplayedAt?: number;
  /** Number of archived events processed so far. */
  position?: number;
}

/** An event that has not been delivered to a target yet, keyed by an id. Times are epoch milliseconds. */
export interface DeliveryRecord {
  id: string;
  bus: string;
  rule: string;
  /** Target at the time of the event. */
  target: Target;
  event: BusEvent;
  begunAt: number;
  /** Number of failed attempts. */
  attempts: number;
  /** Time of the next attempt. */
  dueAt: number;
}

/** Parameters that a connection adds to every request. */
export interface InvocationParameters {
  header?: ConnectionParameter[];
  query?: ConnectionParameter[];
  body?: ConnectionParameter[];
}

/** One connection parameter. */
export interface ConnectionParameter {
  key: string;
  value: string;
  secret: boolean;
}

/** Authentication parameters of a connection. */
export type ConnectionAuth =
  | { type: 'BASIC'; username: string; password: string }
  | { type: 'API_KEY'; name: string; value: string }
  | {
      type: 'OAUTH_CLIENT_CREDENTIALS';
      clientId: string;
      clientSecret: string;
      endpoint: string;
      method: 'GET' | 'POST' | 'PUT';
      http?: InvocationParameters;
    };

/** A connection, keyed by name. */
export interface ConnectionRecord {
  name: string;
  id: string;
  description?: string;
  type: ConnectionAuthorizationType;
  state: ConnectionState;
  stateReason?: string;
  /** Undefined for a deauthorized connection. */
  auth?: ConnectionAuth;
  http?: InvocationParameters;
  /** ARN of the secret; undefined if Secrets Manager is not mounted. */
  secretArn?: string;
  secretId: string;
  kmsKeyIdentifier?: string;
  createdAt: number;
  modifiedAt: number;
  authorizedAt?: number;
}

/** An API destination, keyed by name. */
export interface ApiDestinationRecord {
  name: string;
  id: string;
  description?: string;
  connectionArn: string;
  endpoint: string;
  method: ApiDestinationHttpMethod;
  rateLimit: number;
  createdAt: number;
  modifiedAt: number;
}

/** A global endpoint, keyed by name. */
export interface EndpointRecord {
  name: string;
  id: string;
  description?: string;
  routing: RoutingConfig;
  replication?: ReplicationConfig;
  buses: EndpointEventBus[];
  roleArn?: string;
  /** Whether its health check fails, so that the secondary region receives its events. */
  unhealthy?: boolean;
  createdAt: number;
  modifiedAt: number;
}

/** A partner's source for one account, stored in the partner's account and keyed by source and account. */
export interface PartnerSourceRecord {
  name: string;
  account: string;
  createdAt: number;
}

/** A partner event source as its customer sees it, keyed by name. */
export interface EventSourceRecord {
  name: string;
  /** Account of the partner. */
  createdBy: string;
  state: EventSourceState;
  createdAt: number;
  expiresAt: number;
}

export const busCollection = defineCollection<BusRecord>('buses', 'region');
export const ruleCollection = defineCollection<RuleRecord>('rules', 'region');
export const archiveCollection = defineCollection<ArchiveRecord>('archives', 'region');
export const archivedEventCollection = defineCollection<ArchivedEventRecord>('archived-events', 'region', {
  content: ['event'],
});
export const replayCollection = defineCollection<ReplayRecord>('replays', 'region');
export const deliveryCollection = defineCollection<DeliveryRecord>('deliveries', 'region');
export const connectionCollection = defineCollection<ConnectionRecord>('connections', 'region');
export const apiDestinationCollection = defineCollection<ApiDestinationRecord>('api-destinations', 'region');
export const endpointCollection = defineCollection<EndpointRecord>('endpoints', 'region');
export const partnerSourceCollection = defineCollection<PartnerSourceRecord>('partner-sources', 'region');
export const eventSourceCollection = defineCollection<EventSourceRecord>('event-sources', 'region');

/** Collections of EventBridge. */
export const collections = [
  busCollection,
  ruleCollection,
  archiveCollection,
  archivedEventCollection,
  replayCollection,
  deliveryCollection,
  connectionCollection,
  apiDestinationCollection,
  endpointCollection,
  partnerSourceCollection,
  eventSourceCollection,
];
