import type {
  EventBridgeDelivery,
  EventBridgeEndpointHealthRequest,
  EventBridgeEvent,
  EventBridgeFireRuleRequest,
} from '../routes/events.ts';
import { AreaControl } from './area.ts';

/** Control routes of EventBridge. */
export class EventsControl extends AreaControl {
  /** Events the buses have seen, and what became of them at each rule's targets. `GET /_emulator/events/history` */
  history(): Promise<{ events: EventBridgeEvent[]; deliveries: EventBridgeDelivery[] }> {
    return this.transport.json('GET /_emulator/events/history');
  }

  /**
   * Fires a rule, whatever its schedule or pattern. `POST /_emulator/events/fire-rule`
   * @returns the event's id and what became of it at the rule's targets
   * @throws ApiError 404 for an unknown bus or rule
   */
  fireRule(request: EventBridgeFireRuleRequest): Promise<{ eventId: string; deliveries: EventBridgeDelivery[] }> {
    return this.transport.json('POST /_emulator/events/fire-rule', { body: request });
  }

  /**
   * Sets what the health check of a global endpoint says, on which it fails over. `POST /_emulator/events/endpoint-health`
   * @throws ApiError 404 for an unknown endpoint
   */
  endpointHealth(request: EventBridgeEndpointHealthRequest): Promise<{ endpointName: string; healthy: boolean }> {
    return this.transport.json('POST /_emulator/events/endpoint-health', { body: request });
  }
}
