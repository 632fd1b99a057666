import type {
  EventBridgeDelivery,
  EventBridgeEndpointHealthRequest,
  EventBridgeEvent,
  EventBridgeFireRuleRequest,
} from '../records/events.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of EventBridge. */
export const events = {
  /**
   * Lists the events that buses received, with their outcomes at the targets of each rule. `GET
   * /_emulator/events/history`
   */
  history: json<{ events: EventBridgeEvent[]; deliveries: EventBridgeDelivery[] }>()('GET /_emulator/events/history'),

  /**
   * Fires a rule, independent of its schedule and pattern. `POST /_emulator/events/fire-rule`
   * @returns the event's id and its outcomes at the targets of the rule
   * @throws ApiError 404 for an unknown bus or rule
   */
  fireRule: json<{ eventId: string; deliveries: EventBridgeDelivery[] }>()(
    'POST /_emulator/events/fire-rule',
    (request: EventBridgeFireRuleRequest) => ({ body: request }),
  ),

  /**
   * Sets the result of a global endpoint's health check, which controls its failover. `POST
   * /_emulator/events/endpoint-health`
   * @throws ApiError 404 for an unknown endpoint
   */
  endpointHealth: json<{ endpointName: string; healthy: boolean }>()(
    'POST /_emulator/events/endpoint-health',
    (request: EventBridgeEndpointHealthRequest) => ({ body: request }),
  ),
};

/** Methods for the control routes of EventBridge. */
export interface EventsControl extends MethodsOf<typeof events> {}

/** Control routes of EventBridge by name. */
export type EventsRoutes = RoutesOf<typeof events>;
