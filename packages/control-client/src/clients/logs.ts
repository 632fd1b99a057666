import type { LogsDeliveryConfig, LogsFieldIndex, LogsInjectAnomaliesRequest } from '../routes/logs.ts';
import { AreaControl } from './area.ts';

/** Control routes of CloudWatch Logs. */
export class LogsControl extends AreaControl {
  /**
   * Injects findings of an anomaly detector. `POST /_emulator/logs/anomalies/inject`
   * @returns ids of the new anomalies
   * @throws ApiError 404 for an unknown detector or log group
   */
  injectAnomalies(request: LogsInjectAnomaliesRequest): Promise<{ anomalyIds: string[] }> {
    return this.transport.json('POST /_emulator/logs/anomalies/inject', { body: request });
  }

  /** Lists deliveries with the log types of their sources and their formats. `GET /_emulator/logs/delivery-config` */
  deliveryConfig(): Promise<{ deliveries: LogsDeliveryConfig[] }> {
    return this.transport.json('GET /_emulator/logs/delivery-config');
  }

  /**
   * Lists the indexed fields of a log group. `GET /_emulator/logs/field-indexes/{log_group_name}`
   * @throws ApiError 404 for an unknown log group
   */
  fieldIndexes(logGroupName: string): Promise<{ logGroupName: string; fieldIndexes: LogsFieldIndex[] }> {
    return this.transport.json('GET /_emulator/logs/field-indexes/{log_group_name}', {
      params: { log_group_name: logGroupName },
    });
  }
}
