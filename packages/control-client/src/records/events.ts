import type { Located, Timestamp } from './common.ts';

/** Outcome of an event at one target of one rule. */
export interface EventBridgeDelivery extends Located {
  eventId: string;
  eventBusName: string;
  ruleName: string;
  ruleArn: string;
  targetId: string;
  targetArn: string;
  status: 'delivered' | 'failed' | 'dead-lettered';
  attempts: number;
  error?: { code: string; message: string };
  timestamp: Timestamp;
}

/** An event that a bus received. */
export interface EventBridgeEvent extends Located {
  eventId: string;
  eventBusName: string;
  source: string;
  detailType: string;
  /** Detail of the event, parsed. */
  detail: unknown;
  resources: string[];
  timestamp: Timestamp;
}

/** The rule to fire. */
export interface EventBridgeFireRuleRequest {
  ruleName: string;
  /** `default` by default. */
  eventBusName?: string;
  /** By default the server's. */
  accountId?: string;
  /** By default the server's. */
  region?: string;
}

/** Result of the Route 53 health check of a global endpoint. */
export interface EventBridgeEndpointHealthRequest {
  endpointName: string;
  /** False makes the endpoint send its events to the secondary region. */
  healthy: boolean;
  /** By default the server's. */
  accountId?: string;
  /** The endpoint's primary region; by default the server's. */
  region?: string;
}
