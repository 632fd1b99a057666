import { defineCollection } from '@emu/core';
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

/** Name of the bus that every account has in every region. */
export const DEFAULT_BUS = 'default';

/** An event bus, kept by its name. Times are epoch milliseconds. */
export interface BusRecord {
  name: string;
  description?: string;
  /** Partner event source that it takes the events of. */
  eventSourceName?: string;
  deadLetterConfig?: DeadLetterConfig;
  logConfig?: LogConfig;
  /** Resource policy, as JSON text. */
  policy?: string;
  tags: Tag[];
  createdAt: number;
  modifiedAt: number;
}

/** A rule with its targets, kept by bus and name. */
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
  /** Account that made it. */
  createdBy: string;
  /** Service that made it for itself. */
  managedBy?: string;
  /** Epoch milliseconds from which a rate counts: when the schedule was set or the rule enabled last. */
  scheduledFrom?: number;
}

/** An archive, kept by its name. */
export interface ArchiveRecord {
  name: string;
  /** ARN of the bus. */
  source: string;
  description?: string;
  eventPattern?: string;
  /** Days; 0 keeps events for ever. */
  retentionDays: number;
  /** Whether it takes no events any more, because its rule was changed by force. */
  disabled?: true;
  createdAt: number;
}

/** An event in an archive, kept by the archive's name and a sequence number. */
export interface ArchivedEventRecord {
  archive: string;
  /** The event as it is delivered, as JSON text. */
  event: string;
  /** Epoch milliseconds at which the bus took it. */
  at: number;
}

/** A replay, kept by its name. */
export interface ReplayRecord {
  name: string;
  description?: string;
  archive: string;
  /** ARN of the archive. */
  source: string;
  /** ARN of the bus. */
  destination: string;
  /** ARNs of the rules that get the events; all where undefined. */
  filterArns?: string[];
  state: ReplayState;
  /** Id of the request that asked for it. */
  cause?: string;
  from: number;
  to: number;
  startedAt: number;
  endedAt?: number;
  lastReplayedAt?: number;
  /** How many events of the archive it has gone through. */
  position?: number;
}

/** An event that a target has not taken yet, kept by an id of its own. Times are epoch milliseconds. */
export interface DeliveryRecord {
  id: string;
  bus: string;
  rule: string;
  /** As it was when the event came. */
  target: Target;
  event: BusEvent;
  begunAt: number;
  /** Attempts that failed. */
  attempts: number;
  /** When it is tried next. */
  dueAt: number;
}

/** Parameters that a connection adds to every request. */
export interface InvocationParameters {
  header?: ConnectionParameter[];
  query?: ConnectionParameter[];
  body?: ConnectionParameter[];
}

/** One of them. */
export interface ConnectionParameter {
  key: string;
  value: string;
  secret: boolean;
}

/** How a connection proves who it is. */
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

/** A connection, kept by its name. */
export interface ConnectionRecord {
  name: string;
  id: string;
  description?: string;
  type: ConnectionAuthorizationType;
  state: ConnectionState;
  stateReason?: string;
  /** Undefined where it was deauthorized. */
  auth?: ConnectionAuth;
  http?: InvocationParameters;
  /** Where the secret is kept; undefined where the emulator has no Secrets Manager. */
  secretArn?: string;
  secretId: string;
  kmsKeyIdentifier?: string;
  createdAt: number;
  modifiedAt: number;
  authorizedAt?: number;
}

/** An API destination, kept by its name. */
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

/** A global endpoint, kept by its name. */
export interface EndpointRecord {
  name: string;
  id: string;
  description?: string;
  routing: RoutingConfig;
  replication?: ReplicationConfig;
  buses: EndpointEventBus[];
  roleArn?: string;
  /** Whether its health check fails, so that the secondary region takes its events. */
  unhealthy?: boolean;
  createdAt: number;
  modifiedAt: number;
}

/** What a partner sends to one account, kept in the partner's account by source and account. */
export interface PartnerSourceRecord {
  name: string;
  account: string;
  createdAt: number;
}

/** A partner event source as its customer sees it, kept by its name. */
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

/** Everything EventBridge keeps. */
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
