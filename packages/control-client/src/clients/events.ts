import type {
  EventBridgeDelivery,
  EventBridgeEndpointHealthRequest,
  EventBridgeEvent,
  EventBridgeFireRuleRequest,
} from '../routes/events.ts';
import { AreaControl } from './area.ts';

/** Control routes of EventBridge. */
export class EventsControl extends AreaControl {
  /**
   * Lists the events that buses received, with their outcomes at the targets of each rule. `GET
   * /_emulator/events/history`
   */
  history(): Promise<{ events: EventBridgeEvent[]; deliveries: EventBridgeDelivery[] }> {
    return this.transport.json('GET /_emulator/events/history');
  }

  /**
   * Fires a rule, independent of its schedule and pattern. `POST /_emulator/events/fire-rule`
   * @returns the event's id and its outcomes at the targets of the rule
   * @throws ApiError 404 for an unknown bus or rule
   */
  fireRule(request: EventBridgeFireRuleRequest): Promise<{ eventId: string; deliveries: EventBridgeDelivery[] }> {
    return this.transport.json('POST /_emulator/events/fire-rule', { body: request });
  }

  /**
   * Sets the result of a global endpoint's health check, which controls its failover. `POST
   * /_emulator/events/endpoint-health`
   * @throws ApiError 404 for an unknown endpoint
   */
  endpointHealth(request: EventBridgeEndpointHealthRequest): Promise<{ endpointName: string; healthy: boolean }> {
    return this.transport.json('POST /_emulator/events/endpoint-health', { body: request });
  }
}
