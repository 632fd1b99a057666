import type { LogsDeliveryConfig, LogsFieldIndex, LogsInjectAnomaliesRequest } from '../records/logs.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of CloudWatch Logs. */
export const logs = {
  /**
   * Injects findings of an anomaly detector. `POST /_emulator/logs/anomalies/inject`
   * @returns ids of the new anomalies
   * @throws ApiError 404 for an unknown detector or log group
   */
  injectAnomalies: json<{ anomalyIds: string[] }>()(
    'POST /_emulator/logs/anomalies/inject',
    (request: LogsInjectAnomaliesRequest) => ({ body: request }),
  ),

  /** Lists deliveries with the log types of their sources and their formats. `GET /_emulator/logs/delivery-config` */
  deliveryConfig: json<{ deliveries: LogsDeliveryConfig[] }>()('GET /_emulator/logs/delivery-config'),

  /**
   * Lists the indexed fields of a log group. `GET /_emulator/logs/field-indexes/{log_group_name}`
   * @throws ApiError 404 for an unknown log group
   */
  fieldIndexes: json<{ logGroupName: string; fieldIndexes: LogsFieldIndex[] }>()(
    'GET /_emulator/logs/field-indexes/{log_group_name}',
    (logGroupName: string) => ({
      params: { log_group_name: logGroupName },
    }),
  ),
};

/** Methods for the control routes of CloudWatch Logs. */
export interface LogsControl extends MethodsOf<typeof logs> {}

/** Control routes of CloudWatch Logs by name. */
export type LogsRoutes = RoutesOf<typeof logs>;
